using System.Runtime.InteropServices;

namespace Gateway.Transport.Sockets;

/// <summary>The few system calls of the event loops. Errors: −1 and the last P/Invoke error. Source: epoll(7),
/// eventfd(2), accept4(2), recv(2),
/// send(2), tcp(7), getrlimit(2); the constants are the same on every Linux that .NET runs on.</summary>
internal static unsafe partial class Libc
{
    public const int EpollAdd = 1;
    public const int EpollDelete = 2;
    public const int EpollModify = 3;
    public const uint EpollIn = 0x001;
    public const uint EpollOut = 0x004;
    public const uint EpollError = 0x008;
    public const uint EpollHangUp = 0x010;
    public const uint EpollPeerClosed = 0x2000;
    public const uint EpollEdge = 1u << 31;
    public const int DontWait = 0x40;
    public const int NoSignal = 0x4000;
    public const int MoreFollows = 0x8000;
    public const int Truncate = 0x20;
    public const int ShutWrite = 1;
    public const int ShutBoth = 2;

    /// <summary>SOCK_CLOEXEC and SOCK_NONBLOCK; of eventfd too.</summary>
    public const int CloseOnExecNonBlocking = 0x80800;
    public const int Interrupted = 4;
    public const int BadDescriptor = 9;
    public const int Again = 11;
    public const int NoMemory = 12;
    public const int Invalid = 22;
    public const int SystemTableFull = 23;
    public const int TooManyDescriptors = 24;
    public const int NoBuffers = 105;

    private const string Library = "libc";

    [LibraryImport(Library, EntryPoint = "epoll_create1", SetLastError = true)]
    public static partial int EpollCreate(int flags);

    [LibraryImport(Library, EntryPoint = "epoll_ctl", SetLastError = true)]
    public static partial int EpollControl(int epoll, int operation, int descriptor, byte* entry);

    [LibraryImport(Library, EntryPoint = "epoll_wait", SetLastError = true)]
    public static partial int EpollWait(int epoll, byte* entries, int maxEntries, int timeoutMs);

    [LibraryImport(Library, EntryPoint = "eventfd", SetLastError = true)]
    public static partial int EventDescriptor(uint initial, int flags);

    [LibraryImport(Library, EntryPoint = "write", SetLastError = true)]
    public static partial nint Write(int descriptor, byte* bytes, nuint count);

    [LibraryImport(Library, EntryPoint = "close", SetLastError = true)]
    public static partial int Close(int descriptor);

    [LibraryImport(Library, EntryPoint = "accept4", SetLastError = true)]
    public static partial int Accept(int listener, byte* address, int* addressBytes, int flags);

    [LibraryImport(Library, EntryPoint = "getsockname", SetLastError = true)]
    public static partial int LocalName(int descriptor, byte* address, int* addressBytes);

    [LibraryImport(Library, EntryPoint = "shutdown", SetLastError = true)]
    public static partial int Shutdown(int descriptor, int how);

    [LibraryImport(Library, EntryPoint = "getrlimit", SetLastError = true)]
    public static partial int ResourceLimit(int resource, ulong* softAndHard);

    [LibraryImport(Library, EntryPoint = "recv", SetLastError = true)]
    public static partial nint Receive(int descriptor, byte* bytes, nuint count, int flags);

    /// <summary>Of glibc alone. Source: malloc_trim(3).</summary>
    [LibraryImport(Library, EntryPoint = "malloc_trim")]
    public static partial int TrimHeap(nuint keepBytes);

    [LibraryImport(Library, EntryPoint = "send", SetLastError = true)]
    public static partial nint Send(int descriptor, byte* bytes, nuint count, int flags);
}
