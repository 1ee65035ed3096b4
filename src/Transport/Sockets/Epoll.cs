using System.ComponentModel;
using System.Runtime.InteropServices;

namespace Gateway.Transport.Sockets;

/// <summary>
/// One epoll instance. An event names its target by place and generation (<see cref="PlaceTable{T}"/>), so that one
/// that is late for a closed connection has no effect. Owner: the thread that waits; adding and removing from any, also
/// after it was disposed: then nothing happens, even if the number has a new owner by then.
/// <code>
///  epoll_event   0  events  4   data: place 4, generation 4      12 bytes on x64, data at 8 and 16 bytes elsewhere
/// </code>
/// </summary>
internal sealed unsafe class Epoll : IDisposable
{
    public const int MaxEvents = 256;

    private static readonly bool IsPacked = RuntimeInformation.ProcessArchitecture == Architecture.X64;
    private static readonly int DataOffset = IsPacked ? 4 : 8;

    private readonly DescriptorHandle _descriptor = new(Checked(Libc.EpollCreate(0x80000)));

    /// <summary>For tests.</summary>
    internal int Descriptor => _descriptor.Number;

    public static int EntrySize { get; } = IsPacked ? 12 : 16;

    public static int Checked(int result) => result >= 0 ? result : throw new Win32Exception();

    public static uint EventsOf(byte* entry) => *(uint*)entry;

    public static int PlaceOf(byte* entry) => *(int*)(entry + DataOffset);

    public static uint GenerationOf(byte* entry) => *(uint*)(entry + DataOffset + sizeof(int));

    /// <summary>Errors: Win32Exception.</summary>
    public void Add(int descriptor, uint events, int place, uint generation) =>
        Checked(Control(Libc.EpollAdd, descriptor, events, place, generation));

    /// <summary>False: the kernel does not take it.</summary>
    public bool TryAdd(int descriptor, uint events, int place, uint generation) =>
        Control(Libc.EpollAdd, descriptor, events, place, generation) >= 0;

    public void Change(int descriptor, uint events, int place, uint generation) =>
        Control(Libc.EpollModify, descriptor, events, place, generation);

    public void Remove(int descriptor) => _ = Control(Libc.EpollDelete, descriptor, null);

    /// <summary>How many entries were written.</summary>
    /// <param name="entries">Room for <see cref="MaxEvents"/>.</param>
    /// <param name="timeoutMs">−1: until something happens.</param>
    public int Wait(byte* entries, int timeoutMs) =>
        Libc.EpollWait(_descriptor.Number, entries, MaxEvents, timeoutMs);

    /// <summary>When no thread waits any more.</summary>
    public void Dispose() => _descriptor.Dispose();

    private int Control(int operation, int descriptor, uint events, int place, uint generation)
    {
        var entry = stackalloc byte[EntrySize];
        *(uint*)entry = events;
        *(int*)(entry + DataOffset) = place;
        *(uint*)(entry + DataOffset + sizeof(int)) = generation;
        return Control(operation, descriptor, entry);
    }

    private int Control(int operation, int descriptor, byte* entry)
    {
        if (!_descriptor.TryHold())
            return -1;
        var result = Libc.EpollControl(_descriptor.Number, operation, descriptor, entry);
        _descriptor.DangerousRelease();
        return result;
    }
}
