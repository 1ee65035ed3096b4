using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.PubSub.Messages;
using Gateway.PubSub.Uadp.Security;

namespace Gateway.PubSub.Uadp;

/// <summary>
/// NetworkMessages of one WriterGroup in UADP. Shape: <c>head, [Sizes UInt16[]], DataSetMessages</c>; see
/// <see cref="UadpHead"/>. DataSetMessages are written as they come and go behind the head at the end. A single one
/// that is too large for a message goes out in chunks: then <see cref="PartCount"/> is above 1, and each part is a
/// datagram of its own. 0 B a message once the buffers have their size. Owner: the group's loop.
/// Source: Part 14 §7.2.4.4.
/// </summary>
internal sealed class UadpNetworkMessageWriter : INetworkMessageWriter, IDisposable
{
    private const int MaxDataSets = byte.MaxValue;

    private readonly UadpWriterOptions _options;
    private readonly UadpHead _head;
    private readonly PooledBuffer _body;
    private readonly PooledBuffer _promoted;
    private readonly UadpParts _parts;
    private readonly UadpSealer? _sealer;
    private readonly ushort[] _writerIds = new ushort[MaxDataSets];
    private readonly int[] _sizes = new int[MaxDataSets];
    private readonly bool _hasPromoted;
    private readonly bool _hasClassId;
    private readonly bool _hasSizes;
    private int _count;
    private ushort _chunkSequenceNumber;
    private Guid _classId;
    private DateTime _timestamp;

    /// <param name="group">Its masks say what a message has.</param>
    /// <param name="options">Sizes.</param>
    /// <param name="sealer">The writer's from here on; null: messages are not sealed.</param>
    public UadpNetworkMessageWriter(GroupDescription group, UadpWriterOptions options, UadpSealer? sealer = null)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(options.MaxMessageBytes, UadpWriterOptions.SmallestMessageBytes);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(options.MaxMessageBytes, UadpWriterOptions.LargestMessageBytes);
        _options = options;
        _sealer = sealer;
        _head = new UadpHead(group, options, isSealed: sealer is not null);
        var most = Math.Max(options.MaxDataSetMessageBytes, options.MaxMessageBytes);
        _body = new PooledBuffer(limitBytes: most + options.MaxMessageBytes);
        _promoted = new PooledBuffer(limitBytes: options.MaxMessageBytes);
        _hasPromoted = (group.UadpMask & UadpNetworkMessageContentMask.PromotedFields) != 0;
        _hasClassId = (group.UadpMask & UadpNetworkMessageContentMask.DataSetClassId) != 0;
        _hasSizes = (group.UadpMask & UadpNetworkMessageContentMask.PayloadHeader) != 0;
        var chunkBytes = ChunkRoom(promotedBytes: 0);
        if (chunkBytes < UadpWriterOptions.SmallestMessageBytes / 4)
            throw new ArgumentException("The headers leave no room in a message.", nameof(options));

        // Promoted fields may take half of a message, and so double the number of chunks.
        _parts = new UadpParts((int)Math.Min(
            int.MaxValue / 2, ((2L * most / chunkBytes) + 2) * options.MaxMessageBytes));
    }

    /// <summary>Why the last frame was not taken.</summary>
    public UadpWriteProblem Problem { get; private set; }

    /// <summary>Of the message that has ended: above 1 the parts are chunks. 0: it could not be sealed.</summary>
    public int PartCount => _parts.Count;

    /// <summary>Of the next NetworkMessage in the GroupHeader; each part counts.</summary>
    public ushort NextSequenceNumber
    {
        get => _head.NextSequenceNumber;
        set => _head.NextSequenceNumber = value;
    }

    /// <inheritdoc/>
    public string? Hindrance => _sealer?.Hindrance;

    /// <inheritdoc/>
    public void UseGroupVersion(uint version) => _head.GroupVersion = version;

    /// <inheritdoc/>
    public int Length => _count == 0 ? 0 : WholeBytes(_count, _body.Length);

    /// <inheritdoc/>
    public void Begin(Guid messageId, DateTime timestamp)
    {
        _body.Reset();
        _promoted.Reset();
        _parts.Reset();
        (_count, _timestamp, _classId) = (0, timestamp, default);
        Problem = UadpWriteProblem.None;
    }

    /// <summary>See the interface; <see cref="Problem"/> says why not. A frame that the empty message does not take can
    /// never be written.</summary>
    public bool TryAdd(in DataSetFrame frame)
    {
        if (_sealer is { HasKey: false })
            Problem = UadpWriteProblem.NoKey;
        else
            Problem = MayAdd(frame) ? Add(frame) : UadpWriteProblem.MessageFull;
        return Problem == UadpWriteProblem.None;
    }

    /// <inheritdoc/>
    /// <returns>The first part. Empty: nothing was added, or its key has sealed all messages that it may
    /// (<see cref="Problem"/>).</returns>
    public ReadOnlyMemory<byte> End()
    {
        if (PartCount == 0 && _count > 0)
        {
            var isWhole = WholeBytes(_count, _body.Length) <= _options.MaxMessageBytes;
            if (!(isWhole ? TryWriteWhole() : TryWriteChunks()))
            {
                _parts.Reset();
                Problem = UadpWriteProblem.NoKey;
            }
        }

        return PartCount > 0 ? _parts[0] : default;
    }

    /// <summary>One of the messages that <see cref="End"/> made; valid until the next Begin.</summary>
    public ReadOnlyMemory<byte> Part(int index) => _parts[index];

    public void Dispose()
    {
        _body.Dispose();
        _promoted.Dispose();
        _parts.Dispose();
        _sealer?.Dispose();
    }

    /// <summary>False: it belongs into a message of its own.</summary>
    private bool MayAdd(in DataSetFrame frame)
    {
        if (PartCount > 0 || _count == MaxDataSets)
            return false;
        if (_count == 0)
            return true;
        return !_hasPromoted && WholeBytes(_count, _body.Length) <= _options.MaxMessageBytes &&
            (!_hasClassId || frame.Writer.MetaData.DataSetClassId == _classId);
    }

    private UadpWriteProblem Add(in DataSetFrame frame)
    {
        var writer = new UaBinaryWriter(_body);
        var problem = UadpDataSetWriter.Write(ref writer, frame);
        if (problem != UadpWriteProblem.None)
            return problem;
        var size = writer.Position;
        if (writer.Failed || (size > _options.MaxDataSetMessageBytes && _count == 0))
            return UadpWriteProblem.TooLarge;
        if (_hasPromoted && !TryWritePromoted(frame))
            return UadpWriteProblem.TooLarge;
        if (_count > 0 && WholeBytes(_count + 1, _body.Length + size) > _options.MaxMessageBytes)
            return UadpWriteProblem.MessageFull;
        writer.Complete();
        _writerIds[_count] = frame.Writer.DataSetWriterId;
        _sizes[_count] = size;
        if (_count == 0)
            (_classId, _chunkSequenceNumber) = (frame.Writer.MetaData.DataSetClassId, (ushort)frame.SequenceNumber);
        _count++;
        return UadpWriteProblem.None;
    }

    private int WholeBytes(int count, int bodyBytes) =>
        _head.SizeBytes(count, _promoted.Length, isChunk: false) + SizesBytes(count) + bodyBytes;

    private int SizesBytes(int count) => _hasSizes && count > 1 ? count * sizeof(ushort) : 0;

    /// <summary>The fields of the metadata that are promoted, in their order, as Variants; those that the frame does
    /// not have are null. Source: Part 14 §7.2.4.4.2.</summary>
    private bool TryWritePromoted(in DataSetFrame frame)
    {
        _promoted.Reset();
        var writer = new UaBinaryWriter(_promoted);
        var metaData = frame.Writer.MetaData.Fields ?? [];
        for (var i = 0; i < metaData.Length; i++)
        {
            if ((metaData[i].FieldFlags & DataSetFieldFlags.PromotedField) == 0)
                continue;
            var field = default(FrameField);
            foreach (ref readonly var candidate in frame.Fields)
            {
                if (candidate.Index == i)
                    field = candidate;
            }

            UadpFieldWriter.WriteVariant(ref writer, field);
        }

        if (writer.Failed || writer.Position > _options.MaxMessageBytes / 2)
            return false;
        writer.Complete();
        return true;
    }

    private int ChunkRoom(int promotedBytes) =>
        _options.MaxMessageBytes - _head.SizeBytes(1, promotedBytes, isChunk: true) - UadpChunk.HeadBytes;

    private bool TryWriteWhole()
    {
        if (!TrySeal(out var seal))
            return false;
        var writer = _parts.Open();
        _head.Write(ref writer, HeadParts(isChunk: false), seal);
        var payload = writer.Position;
        if (SizesBytes(_count) > 0)
        {
            for (var i = 0; i < _count; i++)
                writer.WriteUInt16((ushort)_sizes[i]);
        }

        writer.WriteRaw(_body.WrittenSpan);
        _parts.Close(ref writer, payload, seal);
        return true;
    }

    private bool TryWriteChunks()
    {
        var room = ChunkRoom(_promoted.Length);
        var body = _body.WrittenSpan;
        for (var offset = 0; offset < body.Length; offset += room)
        {
            if (!TrySeal(out var seal))
                return false;
            var writer = _parts.Open();
            _head.Write(ref writer, HeadParts(isChunk: true), seal);
            var payload = writer.Position;
            UadpChunk.Write(ref writer, _chunkSequenceNumber, body, offset, Math.Min(room, body.Length - offset));
            _parts.Close(ref writer, payload, seal);
        }

        return true;
    }

    private bool TrySeal(out UadpSeal seal)
    {
        seal = default;
        return _sealer is null || _sealer.TryNext(out seal);
    }

    private UadpHeadParts HeadParts(bool isChunk) => new()
    {
        WriterIds = _writerIds.AsSpan(0, _count),
        Promoted = _promoted.WrittenSpan,
        ClassId = _classId,
        Timestamp = _timestamp,
        IsChunk = isChunk,
    };
}
