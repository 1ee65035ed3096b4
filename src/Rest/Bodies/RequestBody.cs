using System.Net;
using Gateway.Codec.Pooling;

namespace Gateway.Rest.Bodies;

/// <summary>A body in memory. Owner: the handler, until <see cref="BodyReader.Return"/>.</summary>
internal sealed class RequestBody(IPAddress address)
{
    public IPAddress Address => address;

    /// <summary>Bytes taken from the budget.</summary>
    public long CountedBytes { get; set; }

    public PooledBuffer Buffer { get; } = new(limitBytes: Array.MaxLength, secret: true);

    public ReadOnlySpan<byte> WrittenSpan => Buffer.WrittenSpan;

    public ReadOnlyMemory<byte> WrittenMemory => Buffer.WrittenMemory;
}
