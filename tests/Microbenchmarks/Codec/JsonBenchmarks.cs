using System.Text.Encodings.Web;
using System.Text.Json;
using BenchmarkDotNet.Attributes;
using Gateway.Codec.Binary;
using Gateway.Codec.Json;
using Gateway.Codec.Json.Transcoding;
using Gateway.Codec.Pooling;
using Gateway.Codec.Types;
using Gateway.Microbenchmarks.Tables;

namespace Gateway.Microbenchmarks.Codec;

/// <summary>A DataValue as JSON, beside a bare Utf8JsonWriter that writes the same text.</summary>
[MemoryDiagnoser]
[Table(22, "Codec: JSON",
    "A Double DataValue with both times in Compact. *Bare*: Utf8JsonWriter alone, the same text. *Transcode*: from " +
    "the kept UA Binary, without decoding it.")]
public class JsonBenchmarks : IDisposable
{
    private static readonly JsonEncodedText UaType = JsonEncodedText.Encode("UaType");
    private static readonly JsonEncodedText ValueName = JsonEncodedText.Encode("Value");
    private static readonly JsonEncodedText SourceTimestamp = JsonEncodedText.Encode("SourceTimestamp");
    private static readonly JsonEncodedText ServerTimestamp = JsonEncodedText.Encode("ServerTimestamp");

    private readonly DataValue _value = CodecSamples.Value(1);
    private readonly UaJsonWriter _writer = UaJsonWriter.Rent(JsonFormat.Compact);
    private readonly System.Buffers.ArrayBufferWriter<byte> _bareBuffer = new(64 * 1024);
    private readonly byte[] _variant;
    private readonly byte[] _text;
    private readonly Utf8JsonWriter _bare;

    public JsonBenchmarks()
    {
        using var buffer = new PooledBuffer();
        var binary = new UaBinaryWriter(buffer);
        binary.WriteVariant(_value.Value);
        binary.Complete();
        _variant = buffer.WrittenSpan.ToArray();
        _bare = new Utf8JsonWriter(_bareBuffer, new JsonWriterOptions
        {
            Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
            SkipValidation = true,
        });
        WriteDataValue();
        _text = _writer.WrittenSpan.ToArray();
        WriteBare();
        if (!_bareBuffer.WrittenSpan.SequenceEqual(_text))
            throw new InvalidOperationException("The bare writer writes another text.");
    }

    [Benchmark]
    public int WriteBare()
    {
        _bareBuffer.ResetWrittenCount();
        _bare.Reset();
        _bare.WriteStartObject();
        _bare.WriteNumber(UaType, 11);
        _bare.WriteNumber(ValueName, _value.Value.AsDouble());
        _bare.WriteString(SourceTimestamp, _value.SourceTimestamp);
        _bare.WriteString(ServerTimestamp, _value.ServerTimestamp);
        _bare.WriteEndObject();
        _bare.Flush();
        return _bareBuffer.WrittenCount;
    }

    [Benchmark]
    public int WriteDataValue()
    {
        _writer.Reset();
        _writer.WriteDataValue(_value);
        return _writer.WrittenSpan.Length;
    }

    [Benchmark]
    public int TranscodeDataValue()
    {
        _writer.Reset();
        JsonTranscoder.TryWriteDataValue(_writer, _variant, _value);
        return _writer.WrittenSpan.Length;
    }

    [Benchmark]
    public DataValue ReadDataValue() => new UaJsonReader(_text).ReadDataValue();

    [GlobalCleanup]
    public void Dispose()
    {
        _writer.Dispose();
        _bare.Dispose();
        GC.SuppressFinalize(this);
    }
}
