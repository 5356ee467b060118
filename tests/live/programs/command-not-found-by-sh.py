"""A program asks the shell for a command that is not installed."""

# expect: command-not-found
import subprocess
import sys

command = "echo frames" if "--fixed" in sys.argv else "at_decode clip.mp4 frames"
subprocess.run(command, shell=True, check=True)
