using System.Text.Json;
using Gateway.Codec.Json;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.PubSub.Messages;

namespace Gateway.PubSub.Json;

/// <summary>
/// Writes JSON NetworkMessages. Shape: an object with header and <c>Messages</c>; without the header the array or, for
/// a single DataSetMessage, the DataSetMessage alone; without DataSetMessageHeader its payload alone. A DataSetMessage
/// is written apart and copied once it fits. Errors: no value breaks one (<see cref="UndecodableValues"/>). Owner:
/// the group's loop, which disposes it. Source: Part 14 §7.2.5.3, §7.2.5.4.
/// </summary>
public sealed class JsonNetworkMessageWriter : INetworkMessageWriter, IDisposable
{
    public const int DefaultLimitBytes = 1024 * 1024;

    /// <summary><c>]}</c></summary>
    private const int ClosingBytes = 2;

    private readonly JsonNetworkMessageContentMask _mask;
    private readonly JsonEncodedText _publisherId;
    private readonly JsonEncodedText _groupName;
    private readonly JsonFormats _formats;
    private readonly int _limitBytes;
    private readonly UaJsonWriter _json;
    private readonly PooledBuffer _message;
    private readonly Dictionary<ushort, JsonWriterPlan> _plans = [];
    private Guid _messageId;
    private Guid _classId;
    private int _count;
    private bool _isEnded;

    /// <param name="group">The header's members.</param>
    /// <param name="values">URIs and structures of values; its encoding is that of each writer. Null: without any.
    /// </param>
    /// <param name="limitBytes">The most bytes of a message.</param>
    public JsonNetworkMessageWriter(
        GroupDescription group, JsonFormat? values = null, int limitBytes = DefaultLimitBytes)
    {
        _mask = group.JsonMask;
        _publisherId = JsonMessageNames.Encode(group.PublisherId);
        _groupName = JsonMessageNames.Encode(group.Name);
        _formats = new JsonFormats(values ?? JsonFormat.Verbose);
        _limitBytes = limitBytes;
        _json = UaJsonWriter.Rent(_formats.Verbose, limitBytes: limitBytes);
        _message = new PooledBuffer(limitBytes: limitBytes);
    }

    /// <summary>Values whose bytes were no value, or too deep: null with Bad_DecodingError went out instead.</summary>
    public long UndecodableValues { get; private set; }

    public int Length => _message.Length;

    private bool HasHeader => (_mask & JsonNetworkMessageContentMask.NetworkMessageHeader) != 0;

    private bool HasDataSetMessageHeader => (_mask & JsonNetworkMessageContentMask.DataSetMessageHeader) != 0;

    private bool IsSingle => (_mask & JsonNetworkMessageContentMask.SingleDataSetMessage) != 0;

    private bool HasClassId => HasHeader && (_mask & JsonNetworkMessageContentMask.DataSetClassId) != 0;

    private bool HasGroupName => HasHeader && (_mask & JsonNetworkMessageContentMask.WriterGroupName) != 0;

    /// <summary>The timestamp is not used: each DataSetMessage has its own.</summary>
    public void Begin(Guid messageId, DateTime timestamp)
    {
        _message.Reset();
        _messageId = messageId;
        _count = 0;
        _isEnded = false;
    }

    /// <summary>False also for a second DataSetMessage where the group sends single ones, for one with another
    /// DataSetClassId than the header says, and for a keep-alive without a header to say so.</summary>
    public bool TryAdd(in DataSetFrame frame)
    {
        var plan = PlanOf(frame.Writer);
        if (_isEnded || !IsPossible(frame, plan))
            return false;
        if (_count == 0)
        {
            _classId = frame.Writer.MetaData.DataSetClassId;
            if (!TryWriteHeader())
                return false;
        }

        var undecodable = 0;
        if (TryWrite(frame, plan, ref undecodable) &&
            Length + 1L + _json.Length + ClosingBytes <= _limitBytes)
        {
            if (_count > 0)
                _message.Write(","u8);
            _message.Write(_json.WrittenSpan);
            _count++;
            UndecodableValues += undecodable;
            return true;
        }

        if (_count == 0)
            _message.Reset();
        return false;
    }

    /// <summary>Empty if no DataSetMessage was added.</summary>
    public ReadOnlyMemory<byte> End()
    {
        if (!_isEnded && _count > 0)
        {
            if (!IsSingle)
                _message.Write("]"u8);
            if (HasHeader)
                _message.Write("}"u8);
        }

        _isEnded = true;
        return _message.WrittenMemory;
    }

    public void Dispose()
    {
        _json.Dispose();
        _message.Dispose();
    }

    private JsonWriterPlan PlanOf(WriterDescription writer)
    {
        if (!_plans.TryGetValue(writer.DataSetWriterId, out var plan) || !ReferenceEquals(plan.Writer, writer))
            _plans[writer.DataSetWriterId] = plan = new JsonWriterPlan(writer, _formats);
        return plan;
    }

    private bool IsPossible(in DataSetFrame frame, JsonWriterPlan plan)
    {
        if (_count > 0 && (IsSingle || (HasClassId && frame.Writer.MetaData.DataSetClassId != _classId)))
            return false;
        if (!HasDataSetMessageHeader && frame.Kind == FrameKind.KeepAlive)
            return false;
        foreach (var field in frame.Fields)
        {
            if ((uint)field.Index >= (uint)plan.Fields.Length)
                return false;
        }

        return true;
    }

    /// <summary>False: it is longer than a message may be.</summary>
    private bool TryWriteHeader()
    {
        if (!HasHeader)
        {
            if (!IsSingle)
                _message.Write("["u8);
            return true;
        }

        _json.Reset();
        var json = _json.Json;
        json.WriteStartObject();
        json.WriteString(JsonMessageNames.MessageId, _messageId);
        json.WriteString(JsonMessageNames.MessageType, JsonMessageNames.DataText);
        if ((_mask & JsonNetworkMessageContentMask.PublisherId) != 0)
            json.WriteString(JsonMessageNames.PublisherId, _publisherId);
        if (HasGroupName)
            json.WriteString(JsonMessageNames.WriterGroupName, _groupName);
        if (HasClassId && _classId != Guid.Empty)
            json.WriteString(JsonMessageNames.DataSetClassId, _classId);
        json.WritePropertyName(JsonMessageNames.Messages);
        if (!IsSingle)
            json.WriteStartArray();
        var header = _json.WrittenSpan;
        if (_json.Failed || header.Length > _limitBytes)
            return false;
        _message.Write(header);
        return true;
    }

    private bool TryWrite(in DataSetFrame frame, JsonWriterPlan plan, ref int undecodable)
    {
        _json.Reset();
        WriteDataSetMessage(frame, plan, null, ref undecodable);
        if (_json.IsTooDeep)
        {
            undecodable = 0;
            var tooDeep = FindTooDeep(frame.Fields, plan);
            _json.Reset();
            WriteDataSetMessage(frame, plan, tooDeep, ref undecodable);
        }

        return !_json.Failed;
    }

    /// <summary>The writer says only that some value was too deep; each one alone shows which.</summary>
    private bool[] FindTooDeep(ReadOnlySpan<FrameField> fields, JsonWriterPlan plan)
    {
        var tooDeep = new bool[fields.Length];
        for (var i = 0; i < fields.Length; i++)
        {
            _json.Reset();
            JsonFieldWriter.Write(_json, plan, fields[i]);
            tooDeep[i] = _json.IsTooDeep;
        }

        return tooDeep;
    }

    private void WriteDataSetMessage(
        in DataSetFrame frame, JsonWriterPlan plan, bool[]? tooDeep, ref int undecodable)
    {
        if (!HasDataSetMessageHeader)
        {
            WritePayload(frame, plan, tooDeep, ref undecodable);
            return;
        }

        _json.Json.WriteStartObject();
        WriteDataSetMessageHeader(frame, plan);
        if (frame.Kind != FrameKind.KeepAlive)
        {
            _json.Json.WritePropertyName(JsonMessageNames.Payload);
            WritePayload(frame, plan, tooDeep, ref undecodable);
        }

        _json.Json.WriteEndObject();
    }

    /// <summary>In the order of the standard's table.</summary>
    private void WriteDataSetMessageHeader(in DataSetFrame frame, JsonWriterPlan plan)
    {
        var json = _json.Json;
        var mask = plan.Writer.JsonMask;
        _json.Format = plan.HeaderFormat;
        if ((mask & JsonDataSetMessageContentMask.DataSetWriterId) != 0)
            json.WriteNumber(JsonMessageNames.DataSetWriterId, (int)plan.Writer.DataSetWriterId);
        if ((mask & JsonDataSetMessageContentMask.DataSetWriterName) != 0)
            json.WriteString(JsonMessageNames.DataSetWriterName, plan.Name);
        if ((mask & JsonDataSetMessageContentMask.PublisherId) != 0 && !HasHeader)
            json.WriteString(JsonMessageNames.PublisherId, _publisherId);
        if ((mask & JsonDataSetMessageContentMask.WriterGroupName) != 0 && !HasGroupName)
            json.WriteString(JsonMessageNames.WriterGroupName, _groupName);
        if ((mask & JsonDataSetMessageContentMask.SequenceNumber) != 0)
            json.WriteNumber(JsonMessageNames.SequenceNumber, frame.SequenceNumber);
        if ((mask & JsonDataSetMessageContentMask.MetaDataVersion) != 0)
        {
            json.WritePropertyName(JsonMessageNames.MetaDataVersion);
            plan.Writer.MetaData.ConfigurationVersion.Encode(_json);
        }
        else if ((mask & JsonDataSetMessageContentMask.MinorVersion) != 0)
        {
            json.WriteNumber(JsonMessageNames.MinorVersion, plan.Writer.MetaData.ConfigurationVersion.MinorVersion);
        }

        if ((mask & JsonDataSetMessageContentMask.Timestamp) != 0)
        {
            json.WritePropertyName(JsonMessageNames.Timestamp);
            _json.WriteDateTime(frame.Timestamp);
        }

        if ((mask & JsonDataSetMessageContentMask.Status) != 0)
            WriteStatus(StatusOf(frame, plan));
        if ((mask & JsonDataSetMessageContentMask.MessageType) != 0)
            json.WriteString(JsonMessageNames.MessageType, MessageTypeOf(frame.Kind));
    }

    /// <summary>Good is not written. Source: Part 14 §A.3.3.5.</summary>
    private void WriteStatus(StatusCode status)
    {
        if (status.Code == 0)
            return;
        _json.Json.WritePropertyName(JsonMessageNames.Status);
        _json.WriteStatusCode(status);
    }

    /// <summary>Fields that are no DataValues cannot say that they are Uncertain; then the message does.
    /// Source: Part 14 §6.2.4.2.</summary>
    private static StatusCode StatusOf(in DataSetFrame frame, JsonWriterPlan plan)
    {
        if (frame.Status.Code != 0 || plan.WritesDataValues)
            return frame.Status;
        foreach (var field in frame.Fields)
        {
            if (field.Status.IsUncertain)
                return new StatusCode(StatusCodes.UncertainSubNormal);
        }

        return frame.Status;
    }

    private static JsonEncodedText MessageTypeOf(FrameKind kind) => kind switch
    {
        FrameKind.KeyFrame => JsonMessageNames.KeyFrameText,
        FrameKind.DeltaFrame => JsonMessageNames.DeltaFrameText,
        FrameKind.Event => JsonMessageNames.EventFrameText,
        _ => JsonMessageNames.KeepAliveText,
    };

    private void WritePayload(in DataSetFrame frame, JsonWriterPlan plan, bool[]? tooDeep, ref int undecodable)
    {
        _json.Json.WriteStartObject();
        var fields = frame.Fields;
        for (var i = 0; i < fields.Length; i++)
        {
            ref readonly var field = ref fields[i];
            _json.Json.WritePropertyName(plan.Fields[field.Index].Name);
            if (tooDeep is not null && tooDeep[i])
            {
                JsonFieldWriter.WriteUndecodable(_json, plan, field);
                undecodable++;
            }
            else if (!JsonFieldWriter.Write(_json, plan, field))
            {
                undecodable++;
            }
        }

        _json.Json.WriteEndObject();
    }
}
