namespace Gateway.Transport.Sockets;

/// <summary>Wakes a thread that waits at an <see cref="Epoll"/>. Threads: any; late calls do nothing.</summary>
internal sealed unsafe class Waker : IDisposable
{
    private readonly DescriptorHandle _descriptor =
        new(Epoll.Checked(Libc.EventDescriptor(0, Libc.CloseOnExecNonBlocking)));

    /// <summary>Errors: Win32Exception.</summary>
    /// <param name="epoll">Where the thread waits.</param>
    /// <param name="events">That it was woken.</param>
    /// <param name="place">By which it knows this.</param>
    public void AddTo(Epoll epoll, uint events, int place) => epoll.Add(_descriptor.Number, events, place, 0);

    public void Wake()
    {
        if (!_descriptor.TryHold())
            return;
        var one = 1L;
        _ = Libc.Write(_descriptor.Number, (byte*)&one, sizeof(long));
        _descriptor.DangerousRelease();
    }

    public void Dispose() => _descriptor.Dispose();
}
