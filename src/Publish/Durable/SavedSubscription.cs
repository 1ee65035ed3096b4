using System.Buffers.Binary;
using Gateway.Codec.Binary;
using Gateway.Codec.Types;
using Gateway.Publish.Subscriptions;
using Gateway.Store.Records;

namespace Gateway.Publish.Durable;

/// <summary>A durable subscription as its file says, up to the last whole commit.</summary>
internal sealed class SavedSubscription
{
    private readonly Dictionary<uint, ReadOnlyMemory<byte>> _messages = [];

    public uint Id { get; private set; }

    /// <summary>The gateway ended in order behind it.</summary>
    public bool IsClean { get; private set; }

    /// <summary>On the wall clock.</summary>
    public DateTime Time { get; private set; }

    public uint LifetimeLeft { get; private set; }

    public uint LifetimeHours { get; private set; }

    public SubscriptionTimes Times { get; private set; }

    public int MaxNotificationsPerPublish { get; private set; }

    public byte Priority { get; private set; }

    public bool PublishingEnabled { get; private set; }

    public bool MessageSent { get; private set; }

    public uint LastItemId { get; private set; }

    public uint NextSequenceNumber { get; private set; }

    /// <summary>Numbers from that one on that the process may have used without another save; 0 where the file does not
    /// say it.</summary>
    public uint NumbersAhead { get; private set; }

    public SessionOwner Owner { get; private set; } = SessionOwner.Unknown;

    /// <summary>Of its session, in the server's own form; null: that has ended.</summary>
    public byte[]? Memo { get; private set; }

    /// <summary>Digest of the access rules then; null where the file does not say it.</summary>
    public ulong? Rules { get; private set; }

    public Guid SessionId { get; private set; }

    public TimeSpan SessionTimeout { get; private set; }

    public Dictionary<uint, SavedItem> Items { get; } = [];

    /// <summary>Messages that are not acknowledged, oldest first.</summary>
    public List<(uint SequenceNumber, ReadOnlyMemory<byte> Message)> Messages { get; } = [];

    /// <summary>Null: there is no whole commit in it. A record that is torn or damaged ends the file.</summary>
    public static SavedSubscription? Read(ReadOnlyMemory<byte> file)
    {
        var saved = new SavedSubscription();
        var waiting = new List<ReadOnlyMemory<byte>>();
        var isCommitted = false;
        while (TryTakeRecord(ref file, out var record))
        {
            waiting.Add(record);
            if ((SavedKind)record.Span[0] != SavedKind.Commit)
                continue;
            foreach (var one in waiting)
            {
                // The checksum is right, so it is not the disk: another version, or a fault of ours.
                if (!saved.TryApply(one))
                    return null;
            }

            waiting.Clear();
            isCommitted = true;
        }

        return isCommitted ? saved : null;
    }

    private static bool TryTakeRecord(ref ReadOnlyMemory<byte> file, out ReadOnlyMemory<byte> record)
    {
        record = default;
        if (file.Length <= SavedFile.HeadBytes)
            return false;
        var length = BinaryPrimitives.ReadInt32LittleEndian(file.Span);
        var check = BinaryPrimitives.ReadUInt32LittleEndian(file.Span[sizeof(int)..]);
        if (length <= 0 || length > file.Length - SavedFile.HeadBytes)
            return false;
        record = file.Slice(SavedFile.HeadBytes, length);
        file = file[(SavedFile.HeadBytes + length)..];
        return Crc32C.Of(record.Span) == check;
    }

    private bool TryApply(ReadOnlyMemory<byte> record)
    {
        var reader = new UaBinaryReader(record.Span);
        switch ((SavedKind)reader.ReadByte())
        {
            case SavedKind.Items:
                while (reader.Remaining > 0 && !reader.Failed)
                    ItemOf(reader.ReadUInt32()).Apply(ref reader, record);
                break;
            case SavedKind.Messages:
                while (reader.Remaining > 0 && !reader.Failed)
                    ReadMessage(ref reader, record);
                break;
            case SavedKind.Commit:
                ReadCommit(ref reader);
                break;
            default:
                return false;
        }

        return !reader.Failed;
    }

    private SavedItem ItemOf(uint id)
    {
        if (!Items.TryGetValue(id, out var item))
            Items.Add(id, item = new SavedItem(id));
        return item;
    }

    private void ReadMessage(ref UaBinaryReader reader, ReadOnlyMemory<byte> record)
    {
        var sequenceNumber = reader.ReadUInt32();
        var length = reader.ReadByteStringSpan().Length;
        if (!reader.Failed)
            _messages[sequenceNumber] = record.Slice(reader.Position - length, length);
    }

    private void ReadCommit(ref UaBinaryReader reader)
    {
        IsClean = reader.ReadBoolean();
        Time = new DateTime(Math.Clamp(reader.ReadInt64(), 0, DateTime.MaxValue.Ticks), DateTimeKind.Utc);
        LifetimeLeft = reader.ReadUInt32();
        Id = reader.ReadUInt32();
        LifetimeHours = reader.ReadUInt32();
        Times = new SubscriptionTimes(reader.ReadDouble(), reader.ReadUInt32(), reader.ReadUInt32());
        MaxNotificationsPerPublish = reader.ReadInt32();
        Priority = reader.ReadByte();
        PublishingEnabled = reader.ReadBoolean();
        MessageSent = reader.ReadBoolean();
        LastItemId = reader.ReadUInt32();
        NextSequenceNumber = reader.ReadUInt32();
        Owner = ReadOwner(ref reader);
        if (!(Times.PublishingIntervalMs > 0) || Times.LifetimeCount == 0 || MaxNotificationsPerPublish <= 0)
            reader.Fail(StatusCodes.BadDecodingError);
        Messages.Clear();
        var kept = reader.ReadArrayLength(sizeof(uint));
        for (var i = 0; i < kept; i++)
        {
            var sequenceNumber = reader.ReadUInt32();
            if (_messages.TryGetValue(sequenceNumber, out var message))
                Messages.Add((sequenceNumber, message));
        }

        _messages.Clear();
        foreach (var (sequenceNumber, message) in Messages)
            _messages[sequenceNumber] = message;
        var deleted = reader.ReadArrayLength(sizeof(uint));
        for (var i = 0; i < deleted; i++)
            Items.Remove(reader.ReadUInt32());
        NumbersAhead = reader.Remaining > 0 ? reader.ReadUInt32() : 0;
        ReadMemo(ref reader);
        Rules = reader.Remaining > 0 ? reader.ReadUInt64() : null;
    }

    private void ReadMemo(ref UaBinaryReader reader)
    {
        // A file of a version that did not keep sessions has none.
        Memo = reader.Remaining > 0 ? reader.ReadByteString() : null;
        if (Memo is null)
            return;
        SessionId = reader.ReadGuid();
        var timeout = reader.ReadDouble();
        if (timeout is > 0 and < int.MaxValue)
            SessionTimeout = TimeSpan.FromMilliseconds(timeout);
        else
            reader.Fail(StatusCodes.BadDecodingError);
    }

    private static SessionOwner ReadOwner(ref UaBinaryReader reader)
    {
        var user = reader.ReadString() ?? string.Empty;
        return new SessionOwner(
            user, reader.ReadBoolean(), reader.ReadString() ?? string.Empty, reader.ReadBoolean())
        {
            Certificate = reader.ReadString() ?? string.Empty,
            Address = reader.ReadString() ?? string.Empty,
        };
    }
}
