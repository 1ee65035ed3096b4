using BenchmarkDotNet.Attributes;
using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Microbenchmarks.Tables;
using Gateway.Transport;
using Gateway.Transport.Conversation;
using Gateway.Transport.Security;

namespace Gateway.Microbenchmarks.Codec;

/// <summary>One message around a ByteString of a given size, by what becomes of the buffer.</summary>
[MemoryDiagnoser]
[Table(30, "Codec: buffers",
    "A WriteRequest around a ByteString. *Reused*: one buffer for all messages, our way in a read loop and in a " +
    "shard (it lets go of what grew past 128 KiB). *Pooled*: rented and given back for each; *Cleared*: the same, " +
    "cleared on return as a buffer that held secrets is. *Fresh*: an array of its own for each message. *Chunked*: " +
    "cut into chunks of 64 KiB with their headers, not encrypted; joined again before decoding.")]
public class BufferBenchmarks : IDisposable
{
    private const int Limit = 64 * 1024 * 1024;

    private readonly PooledBuffer _reused = new(MessageLayout.Headroom, Limit);
    private readonly NoProtection _protection = new();
    private readonly byte[] _chunk = new byte[64 * 1024];
    private WriteRequest _request = null!;
    private byte[] _bytes = [];

    [Params(1024, 16 * 1024, 64 * 1024, 1024 * 1024)]
    public int Payload { get; set; }

    [GlobalSetup]
    public void Setup()
    {
        _request = new WriteRequest
        {
            NodesToWrite =
            [
                new WriteValue
                {
                    NodeId = new NodeId(1000, 2),
                    AttributeId = (uint)AttributeId.Value,
                    Value = new DataValue(Variant.FromByteString(new byte[Payload])),
                },
            ],
        };
        _bytes = CodecSamples.Encode(_request);
    }

    [GlobalCleanup]
    public void Dispose()
    {
        _reused.Dispose();
        _protection.Dispose();
        GC.SuppressFinalize(this);
    }

    [Benchmark]
    public int EncodeReused()
    {
        _reused.Reset();
        return Encode(_reused);
    }

    [Benchmark]
    public int EncodePooled()
    {
        using var buffer = new PooledBuffer(MessageLayout.Headroom, Limit);
        return Encode(buffer);
    }

    [Benchmark]
    public int EncodeCleared()
    {
        using var buffer = new PooledBuffer(MessageLayout.Headroom, Limit, secret: true);
        return Encode(buffer);
    }

    [Benchmark]
    public byte[] EncodeFresh()
    {
        _reused.Reset();
        Encode(_reused);
        return _reused.WrittenSpan.ToArray();
    }

    [Benchmark]
    public int EncodeChunked()
    {
        _reused.Reset();
        Encode(_reused);
        var rest = _reused.WrittenSpan;
        var most = _protection.MaxBodyBytes(_chunk.Length);
        var sum = 0;
        while (rest.Length > 0)
        {
            var part = rest[..Math.Min(most, rest.Length)];
            rest = rest[part.Length..];
            part.CopyTo(_chunk.AsSpan(MessageLayout.Headroom));
            FrameWriter.WriteHeader(_chunk, MessageKind.Message, ChunkType.Intermediate, 0);
            sum += _protection.Seal(_chunk, MessageLayout.Headroom + part.Length);
        }

        return sum;
    }

    [Benchmark]
    public WriteRequest Decode() => Decoded(_bytes);

    [Benchmark]
    public WriteRequest DecodeChunked()
    {
        using var assembler = new MessageAssembler();
        var rest = _bytes.AsSpan();
        var most = _protection.MaxBodyBytes(_chunk.Length);
        while (rest.Length > 0)
        {
            var part = rest[..Math.Min(most, rest.Length)];
            rest = rest[part.Length..];
            assembler.Add(1, part, Limit);
        }

        return Decoded(assembler.Join());
    }

    private static WriteRequest Decoded(ReadOnlySpan<byte> bytes)
    {
        var reader = new UaBinaryReader(bytes);
        return WriteRequest.Decode(ref reader);
    }

    private int Encode(PooledBuffer buffer)
    {
        var writer = new UaBinaryWriter(buffer);
        _request.Encode(ref writer);
        writer.Complete();
        return writer.Position;
    }
}
