using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.PubSub.Messages;
using Gateway.PubSub.Options;
using Gateway.PubSub.States;
using Gateway.PubSub.Uadp;

namespace Gateway.PubSub.Readers;

/// <summary>
/// One DataSetReader: metadata becomes nodes, messages become their values. Without a message for its
/// MessageReceiveTimeout, or where the publisher says that it has ended, its values are Bad_NoCommunication until the
/// next one. Threads: any. Source: Part 14 §6.2.9.
/// </summary>
internal sealed class DataSetReader
{
    private const int MaxNameLength = 512;
    private const int MaxDescriptionLength = 4_096;
    private const int MaxRank = 32;

    // Nodes change under the first one alone: shards hear of them, and a shard that reads this reader's state takes the
    // second. So the order is the first, a shard, the second.
    private readonly Lock _metaLock = new();
    private readonly Lock _lock = new();
    private readonly string _connection;
    private readonly string _group;
    private readonly DataSetReaderOptions _options;
    private readonly ReaderParts _parts;
    private readonly ReaderNodes _nodes;
    private readonly SequenceCheck _sequence = new();
    private DataSetMetaDataType? _metaData;
    private NodeHandle[] _handles = [];
    private DataValue[] _last = [];
    private PubSubState _state = PubSubState.PreOperational;
    private DateTime? _lastMessageAt;
    private long _lastMessage;
    private long _messages;
    private long _values;
    private int _claimsVersion;
    private bool _isEnded;
    private long _errors;
    private long _returns;

    public DataSetReader(string connection, string group, DataSetReaderOptions options, ReaderParts parts)
    {
        (_connection, _group, _options, _parts) = (connection, group, options, parts);
        _nodes = new ReaderNodes(options, parts);
        _lastMessage = parts.Time.GetTimestamp();
        _claimsVersion = parts.Nodes.Namespaces.ClaimsVersion;
    }

    public DataSetReaderOptions Options => _options;

    /// <summary>Name of its ReaderGroup.</summary>
    public string Group => _group;

    public string PublisherId => _options.PublisherId;

    public int DataSetWriterId => _options.DataSetWriterId;

    public ProblemCounters Problems { get; } = new();

    /// <summary>Of the PublisherId in messages in UADP; String until one has come.</summary>
    public UadpPublisherIdType WireType { get; set; } = UadpPublisherIdType.String;

    /// <summary>Null: none yet.</summary>
    public DataSetMetaDataType? MetaData => Volatile.Read(ref _metaData);

    /// <summary>Its nodes have gone, and nothing brings them back.</summary>
    public bool IsEnded => Volatile.Read(ref _isEnded);

    /// <summary>Since the last message, where the values are stale; otherwise zero.</summary>
    public TimeSpan Silence
    {
        get
        {
            lock (_lock)
                return _state == PubSubState.Error ? _parts.Time.GetElapsedTime(_lastMessage) : TimeSpan.Zero;
        }
    }

    /// <summary>False: it is not used, and counted.</summary>
    public bool TryTake(DataSetMetaDataType metaData)
    {
        if (!IsUsable(metaData))
        {
            Problems.Count(ReaderProblem.MetaDataRefused);
            return false;
        }

        lock (_metaLock)
        {
            // A retained message that comes again with a new connection.
            if (_metaData is { } known && IsSameVersion(known, metaData) && known.Name == metaData.Name)
                return true;
            if (_isEnded || !TryApplyUnderMetaLock(metaData))
                return false;
            lock (_lock)
            {
                _handles = _nodes.Handles;
                _last = new DataValue[_handles.Length];
                Volatile.Write(ref _metaData, metaData);
            }
        }

        return true;
    }

    /// <summary>Fields leave NodeIds whose namespace an upstream has claimed meanwhile.</summary>
    public void FollowClaims()
    {
        if (Volatile.Read(ref _claimsVersion) == _parts.Nodes.Namespaces.ClaimsVersion)
            return;
        lock (_metaLock)
        {
            _claimsVersion = _parts.Nodes.Namespaces.ClaimsVersion;
            if (_isEnded || _metaData is not { } metaData || !TryApplyUnderMetaLock(metaData, isMove: true))
                return;
            lock (_lock)
            {
                _handles = _nodes.Handles;
                ShowUnderLock();
            }
        }
    }

    public void Take(ReceivedDataSet message)
    {
        lock (_lock)
        {
            if (FindProblem(message) is { } problem)
            {
                Problems.Count(problem);
                return;
            }

            var isKeepAlive = message.Kind == FrameKind.KeepAlive;
            if (!_sequence.TryTake(
                message.SequenceNumber, isKeepAlive, message.Timestamp, out var isWhole, message.IsSequenceShort))
                return;
            _messages++;
            _lastMessage = _parts.Time.GetTimestamp();
            _lastMessageAt = _parts.Time.GetUtcNow().UtcDateTime;
            if (_state == PubSubState.Error)
            {
                _returns++;
                ReturnUnderLock(isWhole);
            }

            SetUnderLock(message);
            if (_state == PubSubState.Error || !isKeepAlive)
                _state = PubSubState.Operational;
        }
    }

    /// <summary>Makes the values stale after a silence.</summary>
    public void CheckTimeout()
    {
        lock (_lock)
        {
            var silence = _parts.Time.GetElapsedTime(_lastMessage);
            if (silence.TotalMilliseconds > _options.MessageReceiveTimeoutMs)
                EndUnderLock();
        }
    }

    /// <summary>The publisher says that nothing will come.</summary>
    public void TakeEnd()
    {
        lock (_lock)
            EndUnderLock();
    }

    /// <summary>The reader ends: its nodes go, and with them their values. Metadata that comes later is not taken.
    /// </summary>
    public void RemoveNodes()
    {
        lock (_metaLock)
        {
            if (_isEnded)
                return;
            _isEnded = true;
            lock (_lock)
                (_handles, _last) = ([], []);
            _nodes.Remove();
        }
    }

    public ReaderReport Report()
    {
        lock (_lock)
        {
            return new ReaderReport(
                _connection, _group, _options.Name, PublisherId, DataSetWriterId, _state, _lastMessageAt,
                _handles.Length, _messages, _values, _sequence.Repeats, _sequence.Gaps, Problems.Read())
            {
                MessageReceiveTimeoutMs = _options.MessageReceiveTimeoutMs,
                Errors = _errors,
                Returns = _returns,
            };
        }
    }

    private bool TryApplyUnderMetaLock(DataSetMetaDataType metaData, bool isMove = false)
    {
        if (_nodes.TryApply(metaData, isMove))
            return true;
        Problems.Count(ReaderProblem.NodesFull);
        return false;
    }

    private bool IsUsable(DataSetMetaDataType metaData)
    {
        var names = new HashSet<string>(StringComparer.Ordinal);
        return metaData.Fields is { } fields && fields.Length <= _parts.Limits.MaxPubSubFields &&
            fields.All(field => field.Name is { Length: > 0 and <= MaxNameLength } name && names.Add(name) &&
                IsShape(field));
    }

    /// <summary>Bounds the part that a node keeps: the address space holds each distinct shape for good.</summary>
    private static bool IsShape(FieldMetaData field) =>
        field.ValueRank is >= -3 and <= MaxRank &&
        (field.ArrayDimensions is not { Length: > 0 } dimensions || dimensions.Length == field.ValueRank) &&
        (field.Description.Text is null or { Length: <= MaxDescriptionLength }) &&
        (field.Description.Locale is null or { Length: <= MaxNameLength });

    private static bool IsSameVersion(DataSetMetaDataType left, DataSetMetaDataType right) =>
        left.ConfigurationVersion.MajorVersion == right.ConfigurationVersion.MajorVersion &&
        left.ConfigurationVersion.MinorVersion == right.ConfigurationVersion.MinorVersion;

    private ReaderProblem? FindProblem(ReceivedDataSet message)
    {
        if (_metaData is null)
            return ReaderProblem.MetaDataMissing;
        return message.IsTyped || message.Kind == FrameKind.KeepAlive ? null : ReaderProblem.MetaDataOutdated;
    }

    /// <summary>A field without a time has the message's; one that is good has the message's status.</summary>
    private void SetUnderLock(ReceivedDataSet message)
    {
        var batch = _parts.Values.BeginBatch();
        foreach (var field in message.Fields)
        {
            if ((uint)field.Index >= (uint)_last.Length)
            {
                Problems.Count(ReaderProblem.UnknownField);
                continue;
            }

            var value = field.Value;
            if (value.SourceTimestamp == default && message.Timestamp is { } time)
                value = value with { SourceTimestamp = time };
            if (value.Status.IsGood && !message.Status.IsGood)
                value = value with { Status = message.Status };
            // The publisher's clock is not this server's.
            _last[field.Index] = value with { ServerTimestamp = default };
            batch.Set(_handles[field.Index], _last[field.Index]);
            _values++;
        }

        batch.Commit();
    }

    /// <summary>The values from before hold if no message is missing since then. Otherwise those that lost messages
    /// have changed are not known: each stays bad until its field comes.</summary>
    private void ReturnUnderLock(bool isWhole)
    {
        if (!isWhole)
            Array.Clear(_last);
        SetLastUnderLock();
    }

    /// <summary>On other nodes than before.</summary>
    private void ShowUnderLock()
    {
        if (_state == PubSubState.Error)
            SetEndUnderLock();
        else
            SetLastUnderLock();
    }

    private void SetLastUnderLock()
    {
        var batch = _parts.Values.BeginBatch();
        for (var i = 0; i < _last.Length; i++)
        {
            if (_last[i] != default)
                batch.Set(_handles[i], _last[i]);
        }

        batch.Commit();
    }

    private void EndUnderLock()
    {
        if (_state == PubSubState.Error)
            return;
        _state = PubSubState.Error;
        _errors++;
        _sequence.Silence();
        SetEndUnderLock();
    }

    private void SetEndUnderLock()
    {
        var now = _parts.Time.GetUtcNow().UtcDateTime;
        var batch = _parts.Values.BeginBatch();
        foreach (var node in _handles)
            batch.Set(node, new DataValue(default, StatusCodes.BadNoCommunication, now, now));
        batch.Commit();
    }
}
