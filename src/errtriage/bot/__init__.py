"""Where a team reads a report: a core that turns messages into replies, and the transports that carry both."""
