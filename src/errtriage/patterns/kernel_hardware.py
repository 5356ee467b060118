"""Lines about hardware and drivers that are no Xid: links, memory, PCIe, storage, NVML, fabric manager."""

from __future__ import annotations

from errtriage.patterns.base import LinePattern, told

KIND = "kernel_log"

# Formats: the kernel's aer.c, edac_mc.c, mce.c, nfs and block layer; nvidia-smi, NVML, nv-fabricmanager.
PATTERNS: tuple[LinePattern, ...] = (
    LinePattern(
        kind=KIND,
        literals=("nvidia-nvlink", "NVSwitch", "NVLink: ", "SXid (PCI:"),
        regex=r"(?:nvidia-nvlink|nvidia-nvswitch\d{0,3}|NVSwitch|NVLink|SXid \(PCI:[0-9a-fA-F:.]{5,16}\))[: ].{0,40}?"
        r"(?:[Ee]rror|[Ff]atal|fail(?:ed|ure)|SXid)\b.{0,200}",
        make=told(KIND, what="nvlink"),
        examples=("nvidia-nvswitch0: SXid (PCI:0000:c5:00.0): 20034, Fatal, Link 32 LTSSM Fault Up",),
        ignore=("nvidia-nvlink: Nvlink Core is being initialized, major device number 510",),
    ),
    LinePattern(
        kind=KIND,
        literals=("EDAC MC", "[Hardware Error]", "Uncorrected error", "uncorrectable ECC error detected"),
        regex=r"EDAC MC\d{1,3}: \d{1,9} (?P<error>[CU]E) .{0,200}|mce: \[Hardware Error\]: .{0,200}|"
        r"\[Hardware Error\]: .{0,200}|uncorrectable ECC error detected.{0,120}|Uncorrected error.{0,120}",
        make=told(KIND, what="ecc"),
        examples=(
            "EDAC MC0: 1 UE memory read error on CPU_SrcID#0_MC#0_Chan#1_DIMM#0",
            "mce: [Hardware Error]: CPU 3: Machine Check: 0 Bank 7: dc00004000010091",
        ),
        ignore=("EDAC MC: Ver: 3.0.0",),
    ),
    LinePattern(
        kind=KIND,
        literals=("PCIe Bus Error", "AER: "),
        regex=r"PCIe Bus Error: severity=(?P<severity>[^,]{1,40}),.{0,120}|"
        r"AER: (?:Uncorrected|Multiple Uncorrected|.{0,20}?[Ff]atal error).{0,120}",
        make=told(KIND, what="pcie"),
        examples=(
            "nvidia 0000:41:00.0: PCIe Bus Error: severity=Uncorrected (Fatal), type=Transaction Layer, (Requester ID)",
        ),
        ignore=("AER: Corrected error message received from 0000:00:01.0",),
    ),
    LinePattern(
        kind=KIND,
        literals=(
            "nfs: server",
            "I/O error, dev",
            "EXT4-fs error",
            "LustreError:",
            "ceph: mds",
            "XFS (",
            "Remounting file",
        ),
        regex=r"nfs: server \S{1,200} not responding.{0,40}|I/O error, dev \w{1,40},? .{0,120}|EXT4-fs error .{0,200}|"
        r"XFS \(\w{1,40}\): .{0,40}?(?:[Ee]rror|shut(?:ting)? down).{0,120}|LustreError: .{0,200}|"
        r"ceph: mds\d{1,4} (?:hung|caps stale).{0,80}|Remounting filesystem read-only",
        make=told(KIND, what="storage"),
        examples=(
            "nfs: server 10.1.2.3 not responding, still trying",
            "blk_update_request: I/O error, dev nvme0n1, sector 8",
        ),
        ignore=("nfs: server 10.1.2.3 OK",),
    ),
    LinePattern(
        kind=KIND,
        literals=(
            "initialize NVML",
            "NVIDIA-SMI has failed",
            "No devices were found",
            "NVML: ",
            "RmInitAdapter failed",
        ),
        regex=r"Failed to initialize NVML: (?P<reason>.{1,80})|NVIDIA-SMI has failed because .{1,160}|"
        r"^No devices were found$|NVML: (?:Driver/library version mismatch|Unknown Error|GPU is lost).{0,80}|"
        r"NVRM: (?:GPU \S{1,20}: )?RmInitAdapter failed!?.{0,80}",
        make=told(KIND, what="nvml"),
        examples=(
            "Failed to initialize NVML: Driver/library version mismatch",
            "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that the "
            "latest NVIDIA driver is installed and running.",
            "NVRM: GPU 0000:41:00.0: RmInitAdapter failed! (0x26:0x56:1474)",
        ),
        ignore=("Using NVML: yes",),
    ),
    LinePattern(
        kind=KIND,
        literals=("API mismatch: the client has the version", "API mismatch: this", "kernel module has the version"),
        regex=r"API mismatch: .{0,40}?client.{0,20}? has the version (?P<client>[\d.]{1,16}\d)(?:.{0,80}?"
        r"kernel module has the version (?P<module>[\d.]{1,16}\d))?",
        make=told(KIND, what="nvml"),
        examples=(
            "NVRM: API mismatch: the client has the version 535.161.08, but NVRM: this kernel module has the version "
            "535.154.05.",
        ),
        ignore=("NVRM: loading NVIDIA UNIX x86_64 Kernel Module  535.104.05",),
    ),
    LinePattern(
        kind=KIND,
        literals=("nv-fabricmanager", "abric manager", "abric Manager"),
        regex=r"(?:nv-fabricmanager\S{0,40}|[Ff]abric [Mm]anager)[: ].{0,80}?"
        r"(?:[Ee]rror|[Ff]ail(?:ed|ure)|not running|inactive|exited|mismatch|don't match).{0,160}",
        make=told(KIND, what="fabric_manager"),
        examples=(
            "nv-fabricmanager[991]: fabric manager NVIDIA GPU driver interface version 535.54.03 don't match with "
            "driver version 535.104.05. Please update with matching NVIDIA driver package.",
        ),
        ignore=("nv-fabricmanager[991]: Successfully configured all the available NVSwitches",),
    ),
)
