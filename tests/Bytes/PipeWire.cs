using System.Buffers;
using Gateway.Testing;
using Gateway.Testing.Loopback;
using Gateway.Transport.Tests.Support;

namespace Gateway.Bytes;

/// <summary>A connection in memory: what is sent is handled before <see cref="Send"/> returns, on the same
/// thread.</summary>
internal sealed class PipeWire(PipeConnectionContext connection) : IWire
{
    public void Send(ReadOnlySpan<byte> bytes)
    {
        var output = connection.Transport.Output;
        bytes.CopyTo(output.GetSpan(bytes.Length));
        output.Advance(bytes.Length);
        output.FlushAsync().AsTask().GetAwaiter().GetResult();
    }

    public int Receive(Span<byte> buffer)
    {
        var input = connection.Transport.Input;
        if (!input.TryRead(out var result))
            result = input.ReadAsync().AsTask().WaitAsync(Patience.Limit).GetAwaiter().GetResult();
        var count = (int)Math.Min(buffer.Length, result.Buffer.Length);
        if (count == 0)
            throw new EndOfStreamException();
        var taken = result.Buffer.Slice(0, count);
        taken.CopyTo(buffer);
        input.AdvanceTo(taken.End);
        return count;
    }

    public void Dispose() => connection.DisposeAsync().AsTask().GetAwaiter().GetResult();
}
