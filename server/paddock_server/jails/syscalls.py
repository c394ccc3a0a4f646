"""The numbers of the system calls that jails refuse, on x86-64 and on arm64."""

from typing import Final, NamedTuple


class Machine(NamedTuple):
    """A processor architecture: how the kernel names it, and its numbers of system calls."""

    audit: int  # AUDIT_ARCH_...
    refused: tuple[int, ...]
    clone: int
    socket: int
    ioctl: int
    prctl: int


_X86_64_REFUSED: Final = {
    "_sysctl": 156, "acct": 163, "add_key": 248, "adjtimex": 159, "bpf": 321, "chroot": 161,
    "clock_adjtime": 305, "clock_settime": 227, "create_module": 174, "delete_module": 176,
    "fanotify_init": 300, "finit_module": 313, "fsconfig": 431, "fsmount": 432, "fsopen": 430,
    "fspick": 433, "get_kernel_syms": 177, "init_module": 175, "io_setup": 206,
    "io_uring_enter": 426, "io_uring_register": 427, "io_uring_setup": 425, "ioperm": 173,
    "iopl": 172, "kcmp": 312, "kexec_file_load": 320, "kexec_load": 246, "keyctl": 250,
    "lookup_dcookie": 212, "mbind": 237, "memfd_secret": 447, "migrate_pages": 256, "mknod": 133,
    "mknodat": 259, "mount": 165, "mount_setattr": 442, "move_mount": 429, "move_pages": 279,
    "msgget": 68, "name_to_handle_at": 303, "nfsservctl": 180, "open_by_handle_at": 304,
    "open_tree": 428, "perf_event_open": 298, "personality": 135, "pidfd_getfd": 438,
    "pivot_root": 155, "process_madvise": 440, "process_vm_readv": 310, "process_vm_writev": 311,
    "ptrace": 101, "query_module": 178, "quotactl": 179, "quotactl_fd": 443, "reboot": 169,
    "request_key": 249, "sched_setattr": 314, "semget": 64, "set_mempolicy": 238,
    "set_mempolicy_home_node": 450, "setdomainname": 171, "sethostname": 170, "setns": 308,
    "settimeofday": 164, "shmget": 29, "swapoff": 168, "swapon": 167, "syslog": 103,
    "umount2": 166, "unshare": 272, "uselib": 134, "userfaultfd": 323, "ustat": 136,
    "vhangup": 153, "vmsplice": 278, "vserver": 236,
}  # fmt: skip

_ARM64_REFUSED: Final = {
    "acct": 89, "add_key": 217, "adjtimex": 171, "bpf": 280, "chroot": 51, "clock_adjtime": 266,
    "clock_settime": 112, "delete_module": 106, "fanotify_init": 262, "finit_module": 273,
    "fsconfig": 431, "fsmount": 432, "fsopen": 430, "fspick": 433, "init_module": 105,
    "io_setup": 0, "io_uring_enter": 426, "io_uring_register": 427, "io_uring_setup": 425,
    "kcmp": 272, "kexec_file_load": 294, "kexec_load": 104, "keyctl": 219, "lookup_dcookie": 18,
    "mbind": 235, "memfd_secret": 447, "migrate_pages": 238, "mknodat": 33, "mount": 40,
    "mount_setattr": 442, "move_mount": 429, "move_pages": 239, "msgget": 186,
    "name_to_handle_at": 264, "nfsservctl": 42, "open_by_handle_at": 265, "open_tree": 428,
    "perf_event_open": 241, "personality": 92, "pidfd_getfd": 438, "pivot_root": 41,
    "process_madvise": 440, "process_vm_readv": 270, "process_vm_writev": 271, "ptrace": 117,
    "quotactl": 60, "quotactl_fd": 443, "reboot": 142, "request_key": 218, "sched_setattr": 274,
    "semget": 190, "set_mempolicy": 237, "set_mempolicy_home_node": 450, "setdomainname": 162,
    "sethostname": 161, "setns": 268, "settimeofday": 170, "shmget": 194, "swapoff": 225,
    "swapon": 224, "syslog": 116, "umount2": 39, "unshare": 97, "userfaultfd": 282, "vhangup": 58,
    "vmsplice": 75,
}  # fmt: skip

REFUSED: Final = {"x86_64": _X86_64_REFUSED, "aarch64": _ARM64_REFUSED}
"""The refused calls with their numbers, by the kernel's name of the architecture."""

MACHINES: Final = {
    "x86_64": Machine(
        audit=0xC000003E,
        refused=tuple(sorted(_X86_64_REFUSED.values())),
        clone=56,
        socket=41,
        ioctl=16,
        prctl=157,
    ),
    "aarch64": Machine(
        audit=0xC00000B7,
        refused=tuple(sorted(_ARM64_REFUSED.values())),
        clone=220,
        socket=198,
        ioctl=29,
        prctl=167,
    ),
}
"""The architectures that there is a filter for."""

CLONE3: Final = 435  # everywhere
FIRST_UNKNOWN: Final = 457  # statmount: from here on no call has been looked at
