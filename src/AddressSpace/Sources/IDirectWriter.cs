using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Sources;

/// <summary>A source whose write is done when the call returns: it needs no request that waits. Threads: any; does not
/// block. Errors: a StatusCode, never an exception.</summary>
public interface IDirectWriter : INodeSource
{
    StatusCode Write(in SourceWrite write);

    ValueTask INodeSource.WriteAsync(
        ReadOnlyMemory<SourceWrite> writes, Memory<StatusCode> results, CancellationToken ct)
    {
        for (var i = 0; i < writes.Length; i++)
            results.Span[i] = Write(writes.Span[i]);
        return ValueTask.CompletedTask;
    }
}
