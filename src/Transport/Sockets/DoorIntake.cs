namespace Gateway.Transport.Sockets;

/// <summary>Accepts, and keeps one descriptor spare: where none is left, the backlog would hang in silence and a
/// level-triggered listener would spin. Owner: the door's loop.</summary>
internal sealed class DoorIntake : IDisposable
{
    /// <summary>Errors that are the peer's, and cost one entry of the backlog each.</summary>
    private const int MostPeerErrors = 64;

    private readonly IAcceptor _acceptor;
    private int _spare = -1;

    public DoorIntake(IAcceptor acceptor)
    {
        _acceptor = acceptor;
        Refill();
    }

    public IntakeResult Next(out Accepted accepted)
    {
        for (var i = 0; i < MostPeerErrors; i++)
        {
            accepted = _acceptor.Accept();
            if (accepted.Descriptor >= 0)
                return IntakeResult.Accepted;
            switch (-accepted.Descriptor)
            {
                case Libc.Again or Libc.BadDescriptor or Libc.Invalid:
                    return IntakeResult.Nothing;
                case Libc.TooManyDescriptors or Libc.SystemTableFull:
                    return NextWithSpare(out accepted);
                case Libc.NoMemory or Libc.NoBuffers:
                    return IntakeResult.Exhausted;
            }
        }

        accepted = default;
        return IntakeResult.Nothing;
    }

    /// <summary>After the last descriptor was given back; harmless otherwise.</summary>
    public void Refill()
    {
        if (_spare < 0)
            _spare = Libc.EventDescriptor(0, Libc.CloseOnExecNonBlocking);
    }

    public void Dispose()
    {
        if (_spare >= 0)
            _ = Libc.Close(_spare);
        _spare = -1;
    }

    private IntakeResult NextWithSpare(out Accepted accepted)
    {
        accepted = default;
        if (_spare < 0)
            return IntakeResult.Exhausted;
        Dispose();
        accepted = _acceptor.Accept();
        if (accepted.Descriptor >= 0)
            return IntakeResult.LastDescriptor;
        Refill();
        return -accepted.Descriptor == Libc.Again ? IntakeResult.Nothing : IntakeResult.Exhausted;
    }
}
