using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.PubSub.Uadp.Security;

namespace Gateway.PubSub.Uadp;

/// <summary>The NetworkMessages that one content becomes, one behind the other: one, or its chunks. Owner: a writer.
/// </summary>
internal sealed class UadpParts(int limitBytes) : IDisposable
{
    private readonly PooledBuffer _buffer = new(limitBytes: limitBytes);
    private int[] _ends = new int[1];

    public int Count { get; private set; }

    /// <summary>Valid until <see cref="Reset"/>.</summary>
    public ReadOnlyMemory<byte> this[int index]
    {
        get
        {
            ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual((uint)index, (uint)Count);
            var start = index == 0 ? 0 : _ends[index - 1];
            return _buffer.WrittenMemory[start.._ends[index]];
        }
    }

    public void Reset()
    {
        _buffer.Reset();
        Count = 0;
    }

    /// <summary>For one message, from its first byte.</summary>
    public UaBinaryWriter Open() => new(_buffer);

    /// <param name="writer">Of <see cref="Open"/>, after the payload.</param>
    /// <param name="payload">Where the payload starts.</param>
    /// <param name="seal">Closes the message.</param>
    public void Close(ref UaBinaryWriter writer, int payload, in UadpSeal seal)
    {
        seal.WriteEnd(ref writer);
        if (writer.Failed)
            throw new InvalidOperationException("The sizes are the caller's to keep.");
        var start = _buffer.Length;
        writer.Complete();
        seal.Close(_buffer.WholeSpan[start..], payload);
        if (Count == _ends.Length)
            Array.Resize(ref _ends, 2 * Count);
        _ends[Count++] = _buffer.Length;
    }

    public void Dispose() => _buffer.Dispose();
}
