using System.Runtime.CompilerServices;
using System.Text.Json;
using Gateway.Codec.Json;
using Gateway.Codec.Structures;
using Gateway.PubSub.Messages;

namespace Gateway.PubSub.Json;

/// <summary>One text while it is read; its syntax was checked before. The first problem stays. Owner: one read.
/// </summary>
internal ref struct JsonMessageReading(
    ReadOnlySpan<byte> text, JsonFormat format, JsonReaderLimits limits, IMetaDataLookup? metaData,
    ConditionalWeakTable<DataSetMetaDataType, JsonReaderPlan> plans, JsonNetworkMessageContentMask? layout)
{
    private const int MessageId = 0;
    private const int MessageType = 1;
    private const int PublisherId = 2;
    private const int GroupName = 3;
    private const int ClassId = 4;
    private const int Messages = 5;
    private const int WriterId = 6;
    private const int WriterName = 7;
    private const int Timestamp = 8;
    private const int MetaData = 9;
    private const int IsCyclic = 10;
    private const int Status = 11;
    private const int NextReportTime = 12;
    private const int Connection = 13;
    private const int Description = 14;
    private const int Capabilities = 15;
    private const int Endpoints = 16;
    private const int SequenceNumber = 17;
    private const int Version = 18;
    private const int MinorVersion = 19;
    private const int Payload = 20;

    private static readonly byte[][] Names =
    [
        "MessageId"u8.ToArray(), "MessageType"u8.ToArray(), "PublisherId"u8.ToArray(), "WriterGroupName"u8.ToArray(),
        "DataSetClassId"u8.ToArray(), "Messages"u8.ToArray(), "DataSetWriterId"u8.ToArray(),
        "DataSetWriterName"u8.ToArray(), "Timestamp"u8.ToArray(), "MetaData"u8.ToArray(), "IsCyclic"u8.ToArray(),
        "Status"u8.ToArray(), "NextReportTime"u8.ToArray(), "Connection"u8.ToArray(), "Description"u8.ToArray(),
        "ServerCapabilities"u8.ToArray(), "Endpoints"u8.ToArray(), "SequenceNumber"u8.ToArray(),
        "MetaDataVersion"u8.ToArray(), "MinorVersion"u8.ToArray(), "Payload"u8.ToArray(),
    ];

    private readonly ReadOnlySpan<byte> _text = text;
    private readonly JsonNetworkMessageContentMask? _layout = layout;
    private readonly JsonMemberReader _values = new(new JsonValueBudget(format, limits.Values));

    public readonly ReceiveProblem Problem => _values.Problem;

    public ReceivedMessage? Read(JsonSlice whole)
    {
        if (whole.Token == JsonTokenType.StartArray)
            return new ReceivedData
            {
                DataSets = ReadDataSets(whole, new ReceivedDataSet { Kind = default, Fields = [] }),
            };
        if (whole.Token != JsonTokenType.StartObject)
        {
            _values.Fail(ReceiveProblem.Malformed);
            return null;
        }

        Span<JsonSlice> found = stackalloc JsonSlice[Names.Length];
        var isWhole = JsonMembers.TryFind(_text, whole, Names, found, out _);
        if (!Has(JsonNetworkMessageContentMask.NetworkMessageHeader, LooksLikeNetworkMessage(found)))
            return new ReceivedData
            {
                DataSets = ReadDataSets(whole, new ReceivedDataSet { Kind = default, Fields = [] }),
            };
        if (!isWhole)
        {
            _values.Fail(ReceiveProblem.WrongMember);
            return null;
        }

        return ReadMessage(found);
    }

    private readonly bool Has(JsonNetworkMessageContentMask bit, bool otherwise) =>
        _layout is { } known ? (known & bit) != 0 : otherwise;

    /// <summary>The MessageType of a DataSetMessage is another, and it has no MessageId.</summary>
    private static bool LooksLikeNetworkMessage(scoped ReadOnlySpan<JsonSlice> found) =>
        found[MessageType].Token == JsonTokenType.String &&
        (found[MessageId].Token == JsonTokenType.String || found[Messages].IsThere);

    private ReceivedMessage? ReadMessage(scoped ReadOnlySpan<JsonSlice> found)
    {
        var id = _values.ReadText(_text, found[MessageId]);
        var publisher = _values.ReadPublisherId(_text, found[PublisherId]);
        var type = _values.ReadText(_text, found[MessageType]) ?? "";
        ReceivedMessage? message = type switch
        {
            JsonMessageNames.Data => ReadData(found, publisher),
            JsonMessageNames.MetaDataType => ReadMetaData(found),
            JsonMessageNames.StatusType => new ReceivedStatus
            {
                IsCyclic = _values.ReadBoolean(_text, found[IsCyclic]),
                Status = (PubSubState)_values.ReadEnumeration(_text, _values.Needed(found[Status])),
                Timestamp = _values.ReadTime(_text, found[Timestamp]),
                NextReportTime = _values.ReadTime(_text, found[NextReportTime]),
            },
            JsonMessageNames.ConnectionType => new ReceivedConnection
            {
                Timestamp = _values.ReadTime(_text, found[Timestamp]),
                Connection = _values.ReadStructure<PubSubConnectionDataType>(_text, _values.Needed(found[Connection])),
            },
            JsonMessageNames.ApplicationType => new ReceivedApplication
            {
                Timestamp = _values.ReadTime(_text, found[Timestamp]),
                Description = _values.ReadStructure<ApplicationDescription>(_text, _values.Needed(found[Description])),
                ServerCapabilities = _values.ReadTexts(_text, found[Capabilities]),
            },
            JsonMessageNames.EndpointsType => new ReceivedEndpoints
            {
                Timestamp = _values.ReadTime(_text, found[Timestamp]),
                Endpoints = _values.ReadEndpoints(_text, _values.Needed(found[Endpoints])),
            },
            _ => new ReceivedOther { MessageType = type },
        };
        return message is null ? null : message with { MessageId = id, PublisherId = publisher };
    }

    private ReceivedData ReadData(scoped ReadOnlySpan<JsonSlice> found, string? publisher)
    {
        var (group, classId) = (_values.ReadText(_text, found[GroupName]), _values.ReadGuid(_text, found[ClassId]));
        var header = new ReceivedDataSet
        {
            PublisherId = publisher,
            WriterGroupName = group,
            Kind = default,
            Fields = [],
        };
        return new ReceivedData
        {
            WriterGroupName = group,
            DataSetClassId = classId,
            DataSets = ReadDataSets(_values.Needed(found[Messages]), header),
        };
    }

    private ReceivedMetaData ReadMetaData(scoped ReadOnlySpan<JsonSlice> found) => new()
    {
        DataSetWriterId = (ushort)(_values.ReadNumber(_text, _values.Needed(found[WriterId]), ushort.MaxValue) ?? 0),
        WriterGroupName = _values.ReadText(_text, found[GroupName]),
        DataSetWriterName = _values.ReadText(_text, found[WriterName]),
        Timestamp = _values.ReadTime(_text, found[Timestamp]),
        MetaData = _values.ReadStructure<DataSetMetaDataType>(_text, _values.Needed(found[MetaData])),
    };

    /// <summary>One, or an array of them.</summary>
    private List<ReceivedDataSet> ReadDataSets(JsonSlice messages, ReceivedDataSet header)
    {
        var all = new List<ReceivedDataSet>();
        if (messages.Token == JsonTokenType.StartObject)
        {
            ReadDataSet(messages, header, all);
            return all;
        }

        if (messages.Token != JsonTokenType.StartArray)
        {
            _values.Fail(ReceiveProblem.WrongMember);
            return all;
        }

        var json = JsonMembers.Reader(messages.Of(_text));
        json.Read();
        while (Problem == ReceiveProblem.None && json.Read() && json.TokenType != JsonTokenType.EndArray)
        {
            if (all.Count == limits.MaxDataSets)
                _values.Fail(ReceiveProblem.TooManyDataSets);
            else if (json.TokenType != JsonTokenType.StartObject)
                _values.Fail(ReceiveProblem.WrongMember);
            else
                ReadDataSet(JsonSlice.Take(ref json, messages), header, all);
        }

        return all;
    }

    private void ReadDataSet(JsonSlice item, ReceivedDataSet header, List<ReceivedDataSet> all)
    {
        Span<JsonSlice> found = stackalloc JsonSlice[Names.Length];
        var isWhole = JsonMembers.TryFind(_text, item, Names, found, out var unknown);
        if (!Has(JsonNetworkMessageContentMask.DataSetMessageHeader, LooksLikeDataSetMessage(found, unknown)))
        {
            all.Add(ReadPayload(item, header));
            return;
        }

        if (!isWhole)
        {
            _values.Fail(ReceiveProblem.WrongMember);
            return;
        }

        var message = ReadHeader(found, header);
        if (!found[Payload].IsNull && found[Payload].Token != JsonTokenType.StartObject)
            _values.Fail(ReceiveProblem.WrongMember);
        if (Problem != ReceiveProblem.None)
            return;
        if (found[Payload].IsNull)
        {
            all.Add(message with { Kind = FrameKind.KeepAlive });
            return;
        }

        var type = _values.ReadText(_text, found[MessageType]);
        var whole = ReadPayload(found[Payload], message);
        all.Add(KindOf(type) is { } kind ? whole with { Kind = kind } : whole);
    }

    /// <summary>A Payload, or a keep-alive. Without both it is the header of a keep-alive if all members are known.
    /// </summary>
    private static bool LooksLikeDataSetMessage(scoped ReadOnlySpan<JsonSlice> found, int unknown) =>
        found[Payload].Token == JsonTokenType.StartObject ||
        (unknown == 0 && (found[WriterId].IsThere || found[WriterName].IsThere || found[SequenceNumber].IsThere ||
            found[MessageType].Token == JsonTokenType.String));

    private static FrameKind? KindOf(string? messageType) => messageType switch
    {
        JsonMessageNames.KeyFrame => FrameKind.KeyFrame,
        JsonMessageNames.DeltaFrame => FrameKind.DeltaFrame,
        JsonMessageNames.EventFrame => FrameKind.Event,
        JsonMessageNames.KeepAlive => FrameKind.KeepAlive,
        _ => null,
    };

    private ReceivedDataSet ReadHeader(scoped ReadOnlySpan<JsonSlice> found, ReceivedDataSet header)
    {
        var version = found[Version].IsNull
            ? null : _values.ReadStructure<ConfigurationVersionDataType>(_text, found[Version]);
        return header with
        {
            PublisherId = _values.ReadPublisherId(_text, found[PublisherId]) ?? header.PublisherId,
            WriterGroupName = _values.ReadText(_text, found[GroupName]) ?? header.WriterGroupName,
            DataSetWriterId = (ushort?)_values.ReadNumber(_text, found[WriterId], ushort.MaxValue),
            DataSetWriterName = _values.ReadText(_text, found[WriterName]),
            SequenceNumber = _values.ReadNumber(_text, found[SequenceNumber], uint.MaxValue),
            MajorVersion = version?.MajorVersion,
            MinorVersion = version?.MinorVersion ?? _values.ReadNumber(_text, found[MinorVersion], uint.MaxValue),
            Timestamp = _values.ReadTime(_text, found[Timestamp]),
            Status = _values.ReadStatus(_text, found[Status]),
        };
    }

    private ReceivedDataSet ReadPayload(JsonSlice payload, ReceivedDataSet message)
    {
        var known = metaData?.Find(message);
        if (known is not null && message.MajorVersion is { } major && major != known.ConfigurationVersion.MajorVersion)
            known = null;
        var plan = known is null ? null : plans.GetValue(known, static one => new JsonReaderPlan(one));
        var fields = new List<ReceivedField>();
        var seen = new HashSet<string>(StringComparer.Ordinal);
        var json = JsonMembers.Reader(payload.Of(_text));
        json.Read();
        var isComplete = 0;
        while (Problem == ReceiveProblem.None && json.Read() && json.TokenType == JsonTokenType.PropertyName)
        {
            var name = json.GetString()!;
            json.Read();
            var value = JsonSlice.Take(ref json, payload);
            if (fields.Count == limits.MaxFields)
                _values.Fail(ReceiveProblem.TooManyFields);
            else if (!seen.Add(name))
                _values.Fail(ReceiveProblem.WrongMember);
            else
                fields.Add(ReadField(name, value, plan, ref isComplete));
        }

        var isKey = plan is null || isComplete == plan.Fields.Length;
        return message with
        {
            Kind = isKey ? FrameKind.KeyFrame : FrameKind.DeltaFrame,
            IsTyped = plan is not null,
            Fields = fields,
        };
    }

    private readonly ReceivedField ReadField(string name, JsonSlice value, JsonReaderPlan? plan, ref int known)
    {
        var index = plan?.IndexOf(name) ?? -1;
        if (index >= 0)
            known++;
        return new ReceivedField(
            name, index, JsonFieldReader.Read(_text, value, index < 0 ? null : plan!.Fields[index], _values.Budget));
    }
}
