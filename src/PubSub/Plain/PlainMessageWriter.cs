using System.Buffers.Text;
using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Json;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.PubSub.Json;
using Gateway.PubSub.Messages;
using Gateway.PubSub.Options;

namespace Gateway.PubSub.Plain;

/// <summary>One message a field, on a topic of its own, for subscribers that know nothing of OPC UA. The parts of a
/// message are the messages of its fields. Not of the standard. Owner: its group.</summary>
/// <param name="topicOf">Of a DataSetWriter, by its name.</param>
/// <param name="template">The text of each message.</param>
/// <param name="nodes">Their namespaces.</param>
/// <param name="structures">Of values.</param>
/// <param name="limitBytes">The most bytes of a message.</param>
internal sealed class PlainMessageWriter(
    Func<string, string> topicOf, PlainTemplate template, NodeTable nodes, TableStructures structures, int limitBytes)
    : INetworkMessageWriter, IDisposable
{
    /// <summary>A key frame of more bytes goes out in portions.</summary>
    private const long MessagesHeld = 8;

    private readonly PooledBuffer _bytes = new(limitBytes: int.MaxValue / 2);
    private readonly List<(int Start, int End, byte[] Topic)> _parts = [];
    private readonly Dictionary<ushort, PlainWriter> _writers = [];
    private string[]? _uris;
    private IJsonStructures? _known;
    private JsonFormats? _formats;
    private UaJsonWriter? _json;
    private bool _isTaken;

    public bool IsPlain => true;

    public int Length => _bytes.Length;

    public int PartCount => _parts.Count;

    public void Begin(Guid messageId, DateTime timestamp)
    {
        _bytes.Reset();
        _parts.Clear();
        _isTaken = false;
        var (uris, known) = (nodes.Namespaces.Uris, structures.Current);
        if (_json is not null && uris == _uris && known == _known)
            return;
        (_uris, _known) = (uris, known);
        _formats = new JsonFormats(new JsonFormat { Uris = new JsonUris(uris, uris[1..2]), Structures = known });
        _json?.Dispose();
        _json = UaJsonWriter.Rent(_formats.Verbose, limitBytes: limitBytes);
        _writers.Clear();
    }

    /// <summary>One frame a message: there is nothing to gain from more.</summary>
    public bool TryAdd(in DataSetFrame frame)
    {
        if (_isTaken)
            return false;
        var writer = WriterOf(frame.Writer);
        foreach (ref readonly var field in frame.Fields)
        {
            var start = _bytes.Length;
            if (!TryWrite(writer, field) || _bytes.Length - start > limitBytes ||
                (_parts.Count > 0 && _bytes.Length > MessagesHeld * limitBytes))
            {
                _bytes.Reset();
                _parts.Clear();
                return false;
            }

            _parts.Add((start, _bytes.Length, writer.Topics[field.Index]));
        }

        return _isTaken = true;
    }

    public ReadOnlyMemory<byte> End() => _parts.Count > 0 ? Part(0) : default;

    public ReadOnlyMemory<byte> Part(int index) => _bytes.WrittenMemory[_parts[index].Start.._parts[index].End];

    public ReadOnlySpan<byte> TopicOf(int index) => _parts[index].Topic;

    public void Dispose()
    {
        _json?.Dispose();
        _bytes.Dispose();
    }

    private PlainWriter WriterOf(WriterDescription of)
    {
        if (_writers.TryGetValue(of.DataSetWriterId, out var known) && ReferenceEquals(known.Description, of))
            return known;
        var raw = of with
        {
            FieldContentMask = DataSetFieldContentMask.RawData,
            JsonMask = JsonDataSetMessageContentMask.FieldEncoding2,
        };
        return _writers[of.DataSetWriterId] = new PlainWriter(
            of, new JsonWriterPlan(raw, _formats!), PlainTopics.Of(topicOf(of.Name), of.MetaData.Fields ?? []));
    }

    private bool TryWrite(PlainWriter writer, in FrameField field)
    {
        foreach (var (part, text) in template.Pieces)
        {
            switch (part)
            {
                case PlainPart.Text:
                    _bytes.Write(text);
                    break;
                case PlainPart.Value when !TryWriteValue(writer.Plan, field):
                    return false;
                case PlainPart.Value:
                    break;
                case PlainPart.Code:
                    WriteCode(field.Status);
                    break;
                default:
                    WriteText(part, writer.Description, field);
                    break;
            }
        }

        return true;
    }

    /// <summary>False: it is larger than a message.</summary>
    private bool TryWriteValue(JsonWriterPlan plan, in FrameField field)
    {
        var json = _json!;
        json.Reset();
        // A Bad value has its status beside it, not in its place.
        if (field.Value is null || field.Value.EncodedVariant.IsEmpty)
            json.Json.WriteNullValue();
        else if (!JsonFieldWriter.Write(json, plan, field with { Status = StatusCode.Good }) || json.IsTooDeep)
        {
            json.Reset();
            json.Json.WriteNullValue();
        }

        var written = json.WrittenSpan;
        if (json.Failed)
            return false;
        _bytes.Write(written);
        return true;
    }

    private void WriteCode(StatusCode status)
    {
        Span<byte> digits = stackalloc byte[10];
        Utf8Formatter.TryFormat(status.Code, digits, out var count);
        _bytes.Write(digits[..count]);
    }

    private void WriteText(PlainPart part, WriterDescription writer, in FrameField field)
    {
        var json = _json!;
        json.Reset();
        if (part == PlainPart.Name)
            json.WriteString(writer.MetaData.Fields![field.Index].Name);
        else if (part == PlainPart.Quality)
            json.Json.WriteStringValue(field.Status.ToString());
        else if (field.Value is { } value && value.SourceTimestamp != default)
            json.WriteDateTime(value.SourceTimestamp);
        else
            json.Json.WriteNullValue();
        _bytes.Write(json.WrittenSpan);
    }

    private sealed record PlainWriter(WriterDescription Description, JsonWriterPlan Plan, byte[][] Topics);
}
