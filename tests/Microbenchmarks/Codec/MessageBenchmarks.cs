using BenchmarkDotNet.Attributes;
using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Microbenchmarks.Tables;

namespace Gateway.Microbenchmarks.Codec;

/// <summary>Whole service messages.</summary>
[MemoryDiagnoser]
[Table(10, "Codec: whole messages",
    "*Count* values, references or items a message; a value is a Double with both timestamps. Decoding allocates the " +
    "message's object, its arrays and its strings, and nothing else; the server decodes requests so, and never the " +
    "values that it publishes or reads from its store.")]
public class MessageBenchmarks
{
    private static readonly PooledBuffer Buffer = new(headroom: 64);
    private ReadRequest _readRequest = null!;
    private ReadResponse _readResponse = null!;
    private PublishResponse _publishResponse = null!;
    private BrowseResponse _browseResponse = null!;
    private BrowseResponse _browseByName = null!;
    private byte[] _readRequestBytes = null!;
    private byte[] _readResponseBytes = null!;
    private byte[] _publishResponseBytes = null!;
    private byte[] _browseResponseBytes = null!;
    private byte[] _browseByNameBytes = null!;

    [Params(1, 10, 100, 1000)]
    public int Count { get; set; }

    [GlobalSetup]
    public void Setup()
    {
        _readRequest = CodecSamples.ReadRequest(Count);
        _readResponse = CodecSamples.ReadResponse(Count);
        _publishResponse = CodecSamples.PublishResponse(Count);
        _browseResponse = CodecSamples.BrowseResponse(Count);
        _browseByName = CodecSamples.BrowseResponse(Count, byName: true);
        _readRequestBytes = CodecSamples.Encode(_readRequest);
        _readResponseBytes = CodecSamples.Encode(_readResponse);
        _publishResponseBytes = CodecSamples.Encode(_publishResponse);
        _browseResponseBytes = CodecSamples.Encode(_browseResponse);
        _browseByNameBytes = CodecSamples.Encode(_browseByName);
    }

    [Benchmark]
    public int EncodeReadRequest() => Encode(_readRequest);

    [Benchmark]
    public int EncodeReadResponse() => Encode(_readResponse);

    [Benchmark]
    public int EncodePublishResponse() => Encode(_publishResponse);

    [Benchmark]
    public int EncodeBrowseResponse() => Encode(_browseResponse);

    [Benchmark]
    public int EncodeBrowseResponseStringIds() => Encode(_browseByName);

    [Benchmark]
    public ReadRequest DecodeReadRequest() => Decode<ReadRequest>(_readRequestBytes);

    [Benchmark]
    public ReadResponse DecodeReadResponse() => Decode<ReadResponse>(_readResponseBytes);

    [Benchmark]
    public PublishResponse DecodePublishResponse() => Decode<PublishResponse>(_publishResponseBytes);

    [Benchmark]
    public BrowseResponse DecodeBrowseResponse() => Decode<BrowseResponse>(_browseResponseBytes);

    [Benchmark]
    public BrowseResponse DecodeBrowseResponseStringIds() => Decode<BrowseResponse>(_browseByNameBytes);

    private static int Encode<T>(T message)
        where T : IStructure<T>
    {
        Buffer.Reset();
        var writer = new UaBinaryWriter(Buffer);
        message.Encode(ref writer);
        writer.Complete();
        return writer.Position;
    }

    private static T Decode<T>(byte[] bytes)
        where T : IStructure<T>
    {
        var reader = new UaBinaryReader(bytes);
        var message = T.Decode(ref reader);
        return reader.Failed ? throw new InvalidOperationException(reader.Status.ToString()) : message;
    }
}
