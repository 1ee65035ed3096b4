namespace Gateway.Transport.Sockets;

/// <summary>Where connections come from: the kernel, or a test's failures.</summary>
internal interface IAcceptor
{
    /// <summary>Never waits.</summary>
    Accepted Accept();
}
