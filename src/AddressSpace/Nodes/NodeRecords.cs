namespace Gateway.AddressSpace.Nodes;

/// <summary>The records of all nodes by handle index, in chunks that never move. One writer, any number of readers.
/// </summary>
internal sealed class NodeRecords
{
    private const int ChunkBits = 10;
    private const int ChunkSize = 1 << ChunkBits;

    private volatile NodeRecord[][] _chunks = [new NodeRecord[ChunkSize]];
    private int _next = 1;

    /// <summary>One past the last index that was given out.</summary>
    public int End => Volatile.Read(ref _next);

    public ref NodeRecord this[int index] => ref _chunks[index >> ChunkBits][index & (ChunkSize - 1)];

    public bool Contains(int index) => index > 0 && index < End;

    public int Add(in NodeRecord record)
    {
        var index = _next;
        if (index >> ChunkBits == _chunks.Length)
            _chunks = [.. _chunks, new NodeRecord[ChunkSize]];
        this[index] = record;
        Volatile.Write(ref _next, index + 1);
        return index;
    }
}
