using Gateway.AddressSpace.Values;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.PubSub.Messages;
using Gateway.PubSub.Options;
using Gateway.PubSub.Uadp;
using Gateway.PubSub.Uadp.Discovery;
using Gateway.PubSub.Uadp.Reading;
using Gateway.PubSub.Uadp.Security;

namespace Gateway.PubSub.Readers;

/// <summary>
/// Gives the UADP messages of a ReaderGroup to its readers. Each group has keys, a least security, numbers of messages
/// and chunks of its own. Nothing of a message counts before its signature is checked but the publisher that it names:
/// problems are counted at that publisher's readers. Owner: the connection. Threads: any, one at a time.
/// </summary>
internal sealed class UadpInput : IReaderInput, IUadpDirectory, IDisposable
{
    private readonly Lock _lock = new();
    private readonly Dictionary<(string Publisher, int Writer), DataSetReader> _readers;
    private readonly ILookup<string, DataSetReader> _byPublisher;
    private readonly Dictionary<DataSetReader, PublisherNamespaces> _namespaces = [];
    private readonly UadpNetworkMessageReader _reader;
    private readonly UadpReaderOptions _options;
    private readonly ReaderParts _parts;
    private readonly ISecurityKeySource? _keys;
    private bool _isDisposed;

    /// <param name="group">Its options.</param>
    /// <param name="readers">Of the group, in order.</param>
    /// <param name="parts">Of all readers.</param>
    /// <param name="keys">Null: messages are not sealed.</param>
    /// <param name="isBroker">A broker keeps metadata and gives it again; a message is not bound to a datagram's size.
    /// </param>
    /// <param name="replays">Of the group's earlier input; null: this is the first.</param>
    public UadpInput(
        ReaderGroupOptions group, IReadOnlyList<DataSetReader> readers, ReaderParts parts, ISecurityKeySource? keys,
        bool isBroker, UadpReplayBook? replays = null)
    {
        (_parts, _keys) = (parts, keys);
        _readers = readers.ToDictionary(static one => (one.PublisherId, one.DataSetWriterId));
        _byPublisher = readers.ToLookup(static one => one.PublisherId);
        _options = new UadpReaderOptions
        {
            SecurityMode = group.Security,
            MaxMessageBytes = isBroker ? ReaderParts.MaxMetaDataBytes : UadpWriterOptions.LargestMessageBytes,
            MaxFields = parts.Limits.MaxPubSubFields,
            AcceptsRetained = isBroker,
            ReplayRecordLifetime = LifetimeOf(readers),
        };
        _reader = new UadpNetworkMessageReader(_options, this, keys, parts.Time, replays);
    }

    /// <summary>For the group's next input.</summary>
    public UadpReplayBook Replays => _reader.Replays;

    /// <summary>Payloads given up because chunks did not come.</summary>
    public long ChunkTimeouts => _reader.Counters.ChunkTimeouts;

    public bool TakesStatus => _options.SecurityMode == MessageSecurityMode.None;

    public bool TryTake(string? publisher, ReadOnlySpan<byte> message)
    {
        // A publisher takes a retained message back.
        if (message.IsEmpty)
            return true;
        var problem = UadpReceivedHead.Read(message, _options.Values, out var head);
        var claimed = head.PublisherId?.ToString() ?? publisher;
        var readers = _byPublisher[publisher ?? claimed ?? ""];
        if (!readers.Any())
            return false;
        if (problem != UadpReadProblem.None || claimed != (publisher ?? claimed))
        {
            Count(problem == UadpReadProblem.None ? ReaderProblem.Stranger : ProblemOf(problem), readers);
            return true;
        }

        lock (_lock)
        {
            // Another input has taken the group over.
            if (_isDisposed)
                return true;
            var given = _reader.Counters[UadpReadProblem.ChunksFull];
            var result = _reader.Read(message, publisher is null ? null : UadpPublisherId.Of(publisher));
            // Nothing that a message claims is kept before its signature is checked (R47).
            if (result is { Problem: UadpReadProblem.None, Data: not null } && head.PublisherId is { } id)
            {
                foreach (var reader in readers)
                    reader.WireType = id.Type;
            }

            Take(result, claimed!, readers);
            // Also where an older payload has made room.
            for (; given < _reader.Counters[UadpReadProblem.ChunksFull]; given++)
                Count(ReaderProblem.ChunksFull, readers);
        }

        return true;
    }

    /// <summary>For a timer.</summary>
    public void GiveUpLate()
    {
        lock (_lock)
            _reader.GiveUpLate();
    }

    public void Dispose()
    {
        lock (_lock)
        {
            _isDisposed = true;
            _reader.Dispose();
        }
    }

    DataSetMetaDataType? IUadpDirectory.FindMetaData(
        in UadpPublisherId? publisher, ushort writerGroupId, ushort dataSetWriterId) =>
        publisher is { } id ? Find(id.ToString(), dataSetWriterId)?.MetaData : null;

    /// <summary>A message of fixed layout names no writers: they stand in the order of the configuration.</summary>
    ReadOnlySpan<UadpSlot> IUadpDirectory.FindSlots(
        in UadpPublisherId? publisher, ushort writerGroupId, ushort networkMessageNumber) => publisher is not { } id
        ? []
        : ReadersOf(id.ToString(), writerGroupId).Select(static one => new UadpSlot((ushort)one.DataSetWriterId, 0))
            .ToArray();

    private IEnumerable<DataSetReader> ReadersOf(string publisher, ushort writerGroupId) =>
        _byPublisher[publisher].Where(one => one.Options.WriterGroupId == 0 ||
            one.Options.WriterGroupId == writerGroupId);

    /// <summary>Fields of a message that says no version of its DataSet would be taken for others.</summary>
    /// <param name="known">Version of the group as its metadata says; null: none of the message's DataSets has needed
    /// it yet.</param>
    private bool IsOfOtherLayout(DataSetReader reader, UadpDataSet dataSet, UadpMessage message, ref uint? known)
    {
        if (message.GroupVersion is not { } version || dataSet is not { MajorVersion: null, MinorVersion: null })
            return false;
        if (reader.Options.GroupVersion != 0)
            return version != reader.Options.GroupVersion;
        return version != (known ??= GroupVersion.Of(
            ReadersOf(reader.PublisherId, message.WriterGroupId ?? 0).Select(static one => one.MetaData)
                .OfType<DataSetMetaDataType>()));
    }

    private DataSetReader? Find(string publisher, int writer) => _readers.GetValueOrDefault((publisher, writer));

    private void Take(in UadpReadResult result, string publisher, IEnumerable<DataSetReader> readers)
    {
        if (result.Problem is not (UadpReadProblem.None or UadpReadProblem.Waiting or UadpReadProblem.Repeated or
            UadpReadProblem.ChunksFull))
            Count(ProblemOf(result.Problem), readers);
        uint? groupVersion = null;
        foreach (var dataSet in result.Data?.DataSets ?? [])
        {
            if (Find(publisher, dataSet.DataSetWriterId) is not { } reader)
                continue;
            if (IsOfOtherLayout(reader, dataSet, result.Data!, ref groupVersion))
                reader.Problems.Count(ReaderProblem.MetaDataOutdated);
            else
                Take(reader, dataSet, result.Data!.Timestamp);
        }

        if (result.Announcement is { Type: UadpAnnouncementType.DataSetMetaData } announcement)
            TakeMetaData(announcement, publisher, result.Origin);
        if (!TakesStatus || result.Announcement is not { Status: PubSubState.Error or PubSubState.Disabled })
            return;
        foreach (var reader in readers)
            reader.TakeEnd();
    }

    private void Take(DataSetReader reader, UadpDataSet dataSet, DateTime? timestamp)
    {
        if (dataSet.Problem != UadpDataSetProblem.None)
        {
            reader.Problems.Count(ProblemOf(dataSet.Problem));
            return;
        }

        var version = reader.MetaData?.ConfigurationVersion ?? new ConfigurationVersionDataType();
        reader.Take(new ReceivedDataSet
        {
            PublisherId = reader.PublisherId,
            DataSetWriterId = dataSet.DataSetWriterId,
            SequenceNumber = dataSet.SequenceNumber,
            IsSequenceShort = true,
            MajorVersion = dataSet.MajorVersion,
            MinorVersion = dataSet.MinorVersion,
            Timestamp = dataSet.Timestamp ?? timestamp,
            Status = dataSet.Status,
            Kind = dataSet.Kind,
            IsTyped = (dataSet.MajorVersion ?? version.MajorVersion) == version.MajorVersion &&
                (dataSet.MinorVersion ?? version.MinorVersion) == version.MinorVersion,
            Fields = [.. dataSet.Fields.Select(field => new ReceivedField("", field.Index, Map(reader, field.Value)))],
        });
    }

    /// <summary>A value with an index that the publisher does not explain is none that can be shown.</summary>
    private DataValue Map(DataSetReader reader, in DataValue value)
    {
        if (!ValueMapper.HasIndexes(value.Value.Type))
            return value;
        var mapper = new ValueMapper(NamespacesOf(reader), toLocal: true);
        var mapped = mapper.Map(value.Value);
        return mapper.Failed
            ? value with { Value = default, Status = StatusCodes.BadDecodingError }
            : value with { Value = mapped };
    }

    private PublisherNamespaces NamespacesOf(DataSetReader reader)
    {
        var uris = reader.MetaData?.Namespaces ?? [];
        if (!_namespaces.TryGetValue(reader, out var known) || !ReferenceEquals(known.Uris, uris))
            _namespaces[reader] = known = new PublisherNamespaces(
                reader.PublisherId, uris, _parts.Namespaces);
        return known;
    }

    /// <summary>The DataTypes of fields have the publisher's indexes, too.</summary>
    private void TakeMetaData(UadpAnnouncement announcement, string publisher, in UadpOrigin origin)
    {
        if (announcement is not { MetaData: { } metaData, DataSetWriterIds: [var writer] } ||
            Find(publisher, writer) is not { } reader || announcement.Statuses.Any(static one => one.IsBad))
            return;
        var mayBeginAnew = reader.Silence > _options.ReplayRecordLifetime;
        if (!Replays.TryTakeMetaData(publisher, writer, origin, _keys?.Current, mayBeginAnew))
        {
            reader.Problems.Count(ReaderProblem.Replayed);
            return;
        }

        var mapper = new ValueMapper(
            new PublisherNamespaces(publisher, metaData.Namespaces ?? [], _parts.Namespaces), toLocal: true);
        var fields = metaData.Fields ?? [];
        var mapped = new FieldMetaData[fields.Length];
        for (var i = 0; i < mapped.Length; i++)
            mapped[i] = WithType(fields[i], mapper.Map(fields[i].DataType));
        if (mapper.Failed)
            reader.Problems.Count(ReaderProblem.MetaDataRefused);
        else
            reader.TryTake(new DataSetMetaDataType
            {
                Namespaces = metaData.Namespaces,
                Name = metaData.Name,
                Description = metaData.Description,
                Fields = mapped,
                DataSetClassId = metaData.DataSetClassId,
                ConfigurationVersion = metaData.ConfigurationVersion,
            });
    }

    private static FieldMetaData WithType(FieldMetaData field, NodeId dataType) => new()
    {
        Name = field.Name,
        Description = field.Description,
        FieldFlags = field.FieldFlags,
        BuiltInType = field.BuiltInType,
        DataType = dataType,
        ValueRank = field.ValueRank,
        ArrayDimensions = field.ArrayDimensions,
        MaxStringLength = field.MaxStringLength,
        DataSetFieldId = field.DataSetFieldId,
        Properties = field.Properties,
    };

    /// <summary>Twice the longest keep-alive time that the readers allow. Source: Part 14 §7.2.3.</summary>
    private static TimeSpan LifetimeOf(IReadOnlyList<DataSetReader> readers)
    {
        var longest = readers.Max(static one => one.Options.MessageReceiveTimeoutMs);
        return TimeSpan.FromMilliseconds(Math.Max(
            UadpReaderOptions.ShortestReplayRecordLifetime.TotalMilliseconds, 2 * longest));
    }

    private static void Count(ReaderProblem problem, IEnumerable<DataSetReader> readers)
    {
        foreach (var reader in readers)
            reader.Problems.Count(problem);
    }

    private static ReaderProblem ProblemOf(UadpReadProblem problem) => problem switch
    {
        UadpReadProblem.TooLarge => ReaderProblem.TooLarge,
        UadpReadProblem.SecurityModeTooLow => ReaderProblem.SecurityModeTooLow,
        UadpReadProblem.UnknownKey => ReaderProblem.UnknownKey,
        UadpReadProblem.BadSignature => ReaderProblem.BadSignature,
        UadpReadProblem.Replayed => ReaderProblem.Replayed,
        UadpReadProblem.ChunkContradicts => ReaderProblem.ChunkContradicts,
        _ => ReaderProblem.Unreadable,
    };

    private static ReaderProblem ProblemOf(UadpDataSetProblem problem) => problem switch
    {
        UadpDataSetProblem.NotValid => ReaderProblem.NotValid,
        UadpDataSetProblem.MetaDataMissing => ReaderProblem.MetaDataMissing,
        UadpDataSetProblem.MetaDataOutdated => ReaderProblem.MetaDataOutdated,
        UadpDataSetProblem.TooLarge => ReaderProblem.TooLarge,
        _ => ReaderProblem.Unreadable,
    };
}
