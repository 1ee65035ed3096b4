using Gateway.AddressSpace.Values;
using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish.Items;

namespace Gateway.Publish.Durable;

/// <summary>An item as the records of its file make it, one after the other: see <see cref="ItemRecord"/>.</summary>
internal sealed class SavedItem(uint id)
{
    public uint Id => id;

    public string? NamespaceUri { get; private set; }

    /// <summary>Without its namespace.</summary>
    public NodeId Node { get; private set; }

    public uint ClientHandle { get; private set; }

    public AttributeId Attribute { get; private set; }

    public MonitoringMode Mode { get; private set; }

    public WireTimestamps Timestamps { get; private set; }

    public bool DiscardOldest { get; private set; }

    /// <summary>0: no record has had the parameters, and the item does not count.</summary>
    public int QueueSize { get; private set; }

    public long SamplingTicks { get; private set; }

    public DataChangeCondition Condition { get; private set; }

    public double PercentDeadband { get; private set; }

    public NumericRange Range { get; private set; }

    /// <summary>As it was encoded; empty: the item watches no events.</summary>
    public byte[] EventFilter { get; private set; } = [];

    /// <summary>Of an item for events.</summary>
    public SavedEvents Events { get; private set; } = new(EventItemNotes.None, []);

    public uint[] Triggered { get; private set; } = [];

    public SavedValue? Last { get; private set; }

    /// <summary>Position of the first entry.</summary>
    public long First { get; private set; }

    public List<(NotificationBits Bits, SavedValue Value)> Entries { get; } = [];

    /// <summary>The next record of it, behind its id.</summary>
    public void Apply(ref UaBinaryReader reader, ReadOnlyMemory<byte> record)
    {
        var parts = (SavedParts)reader.ReadByte();
        if (parts.HasFlag(SavedParts.Settings))
            ReadSettings(ref reader);
        Last = parts.HasFlag(SavedParts.Last) ? SavedValue.Read(ref reader, record) : null;
        if (parts.HasFlag(SavedParts.Events))
            Events = SavedEvents.Read(ref reader);
        var first = reader.ReadInt64();
        var firstBits = (NotificationBits)reader.ReadUInt16();
        Keep(first, reader.ReadInt64());
        var count = reader.ReadInt32();
        for (var i = 0; i < count && !reader.Failed; i++)
            Entries.Add(((NotificationBits)reader.ReadUInt16(), SavedValue.Read(ref reader, record)));
        if (Entries.Count == 0)
            return;
        Entries[0] = (firstBits, Entries[0].Value);
        if (parts.HasFlag(SavedParts.LastIsNewest))
            Last = Entries[^1].Value;
    }

    /// <summary>Entries before First have left the queue, those from Start on come anew.</summary>
    private void Keep(long first, long start)
    {
        var kept = (int)Math.Clamp(start - First, 0, Entries.Count);
        Entries.RemoveRange(kept, Entries.Count - kept);
        Entries.RemoveRange(0, (int)Math.Clamp(first - First, 0, Entries.Count));
        First = first;
    }

    private void ReadSettings(ref UaBinaryReader reader)
    {
        NamespaceUri = reader.ReadString();
        Node = reader.ReadNodeId();
        ClientHandle = reader.ReadUInt32();
        Attribute = (AttributeId)reader.ReadByte();
        Mode = (MonitoringMode)reader.ReadByte();
        Timestamps = (WireTimestamps)reader.ReadByte();
        DiscardOldest = reader.ReadBoolean();
        QueueSize = Math.Max(1, reader.ReadInt32());
        SamplingTicks = Math.Max(0, reader.ReadInt64());
        Condition = new DataChangeCondition((DataChangeTrigger)reader.ReadByte(), reader.ReadDouble());
        PercentDeadband = reader.ReadDouble();
        if (!NumericRangeText.TryParse(reader.ReadString(), out var range))
            reader.Fail(StatusCodes.BadDecodingError);
        Range = range;
        Triggered = new uint[reader.ReadArrayLength(sizeof(uint)) is > 0 and var count ? count : 0];
        foreach (ref var triggered in Triggered.AsSpan())
            triggered = reader.ReadUInt32();
        EventFilter = reader.ReadByteStringSpan().ToArray();
    }
}
