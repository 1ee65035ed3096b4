using System.ComponentModel;
using System.Runtime.InteropServices;

namespace Gateway.Transport.Sockets;

/// <summary>
/// One thread and one epoll instance for the connections that it was given. What a connection's bytes set off runs on
/// this thread, to its end (design §3, idea 11). Each connection is registered once, edge-triggered, for everything.
/// An event names its connection by place and generation, so that one that is late for a closed connection reaches
/// nobody. Owner: <see cref="SocketListenerFactory"/>. Adding and removing from any thread.
/// <code>
///  epoll_event   0  events  4   data: place 4, generation 4      12 bytes on x64, data at 8 and 16 bytes elsewhere
/// </code>
/// </summary>
internal sealed unsafe class EventLoop : IDisposable
{
    private const int MaxEvents = 256;

    private static readonly bool IsPacked = RuntimeInformation.ProcessArchitecture == Architecture.X64;
    private static readonly int EntrySize = IsPacked ? 12 : 16;
    private static readonly int DataOffset = IsPacked ? 4 : 8;

    private readonly Lock _lock = new();
    private readonly Stack<int> _free = new();
    private readonly int _epoll;
    private readonly int _stopper;
    private readonly Thread _thread;
    private SocketLink?[] _links = new SocketLink?[16];
    private uint _generation;
    private int _used = 1;
    private volatile bool _stopping;

    public EventLoop(int index)
    {
        _epoll = Checked(Libc.EpollCreate(0x80000));
        _stopper = Checked(Libc.EventDescriptor(0, 0x80800));
        Control(Libc.EpollAdd, _stopper, Libc.EpollIn, 0, 0);
        _thread = new Thread(Run) { IsBackground = true, Name = $"ua-socket-{index}" };
        _thread.Start();
    }

    /// <summary>Its events begin before this returns. Errors: Win32Exception.</summary>
    public void Add(SocketLink link)
    {
        lock (_lock)
        {
            var place = _free.TryPop(out var free) ? free : _used++;
            if (place == _links.Length)
            {
                var grown = new SocketLink?[2 * place];
                _links.CopyTo(grown, 0);
                Volatile.Write(ref _links, grown);
            }

            link.Place = place;
            link.Generation = ++_generation;
            Volatile.Write(ref _links[place], link);
        }

        const uint Everything = Libc.EpollIn | Libc.EpollOut | Libc.EpollPeerClosed | Libc.EpollEdge;
        try
        {
            Control(Libc.EpollAdd, link.Descriptor, Everything, link.Place, link.Generation);
        }
        catch (Win32Exception)
        {
            Remove(link);
            throw;
        }
    }

    /// <summary>Before its descriptor is closed. Harmless when it is gone.</summary>
    public void Remove(SocketLink link)
    {
        lock (_lock)
        {
            if (link.Place == 0)
                return;
            _links[link.Place] = null;
            _free.Push(link.Place);
            link.Place = 0;
        }

        _ = Libc.EpollControl(_epoll, Libc.EpollDelete, link.Descriptor, null);
    }

    public void Dispose()
    {
        if (_stopping)
            return;
        _stopping = true;
        var one = 1L;
        _ = Libc.Write(_stopper, (byte*)&one, sizeof(long));
        // A thread that is held up takes its descriptors with it at the process's end.
        if (Thread.CurrentThread == _thread || !_thread.Join(TimeSpan.FromSeconds(1)))
            return;
        _ = Libc.Close(_stopper);
        _ = Libc.Close(_epoll);
    }

    private static int Checked(int result) => result >= 0 ? result : throw new Win32Exception();

    private void Control(int operation, int descriptor, uint events, int place, uint generation)
    {
        var entry = stackalloc byte[EntrySize];
        *(uint*)entry = events;
        *(int*)(entry + DataOffset) = place;
        *(uint*)(entry + DataOffset + sizeof(int)) = generation;
        Checked(Libc.EpollControl(_epoll, operation, descriptor, entry));
    }

    private void Run()
    {
        var entries = stackalloc byte[MaxEvents * EntrySize];
        while (!_stopping)
        {
            var count = Libc.EpollWait(_epoll, entries, MaxEvents, -1);
            for (var i = 0; i < count; i++)
            {
                var entry = entries + (i * EntrySize);
                var link = Volatile.Read(ref Volatile.Read(ref _links)[*(int*)(entry + DataOffset)]);
                if (link is not null && link.Generation == *(uint*)(entry + DataOffset + sizeof(int)))
                    link.OnEvents(*(uint*)entry);
            }
        }
    }
}
