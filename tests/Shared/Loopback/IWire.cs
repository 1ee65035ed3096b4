namespace Gateway.Testing.Loopback;

/// <summary>Bytes both ways, on the caller's thread.</summary>
internal interface IWire : IDisposable
{
    void Send(ReadOnlySpan<byte> bytes);

    /// <returns>Bytes received, at least one; waits for them. Errors: EndOfStreamException.</returns>
    int Receive(Span<byte> buffer);
}
