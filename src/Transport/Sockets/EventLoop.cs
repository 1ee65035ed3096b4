using System.ComponentModel;

namespace Gateway.Transport.Sockets;

/// <summary>
/// One thread and one epoll instance for the connections that it was given. The bytes of a connection set off work that
/// runs on this thread, to its end (ARCHITECTURE.md#the-data-path). Each connection is registered once, edge-triggered,
/// for everything. Owner: <see cref="SocketListenerFactory"/>. Adding and removing from any thread.
/// </summary>
internal sealed unsafe class EventLoop : IDisposable
{
    private readonly Lock _lock = new();
    private readonly PlaceTable<SocketLink> _links = new();
    private readonly Epoll _epoll = new();
    private readonly Waker _stopper = new();
    private readonly Thread _thread;
    private volatile bool _stopping;

    public EventLoop(int index)
    {
        _stopper.AddTo(_epoll, Libc.EpollIn, 0);
        _thread = new Thread(Run) { IsBackground = true, Name = $"ua-socket-{index}" };
        _thread.Start();
    }

    /// <summary>Its events begin before this returns. Errors: Win32Exception.</summary>
    public void Add(SocketLink link)
    {
        lock (_lock)
            _links.Add(link);

        const uint Everything = Libc.EpollIn | Libc.EpollOut | Libc.EpollPeerClosed | Libc.EpollEdge;
        try
        {
            _epoll.Add(link.Descriptor, Everything, link.Place, link.Generation);
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
            if (!_links.Remove(link))
                return;
        }

        _epoll.Remove(link.Descriptor);
    }

    public void Dispose()
    {
        if (_stopping)
            return;
        _stopping = true;
        _stopper.Wake();
        // A thread that is held up takes its descriptors with it at the process's end.
        if (Thread.CurrentThread == _thread || !_thread.Join(TimeSpan.FromSeconds(1)))
            return;
        _stopper.Dispose();
        _epoll.Dispose();
    }

    private void Run()
    {
        var entries = stackalloc byte[Epoll.MaxEvents * Epoll.EntrySize];
        while (!_stopping)
        {
            var count = _epoll.Wait(entries, -1);
            for (var i = 0; i < count; i++)
            {
                var entry = entries + (i * Epoll.EntrySize);
                _links.Find(Epoll.PlaceOf(entry), Epoll.GenerationOf(entry))?.OnEvents(Epoll.EventsOf(entry));
            }
        }
    }
}
