using System.Diagnostics;
using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Transport.Tracing;
using KeyValuePair = Gateway.Codec.Structures.KeyValuePair;

namespace Gateway.Transport.Tests.Tracing;

/// <summary>The trace context in an AdditionalHeader (Part 26 §5.5.4).</summary>
public sealed class TraceContextHeaderTests
{
    private static readonly DecodingLimits Limits = new();

    [Fact]
    public void Of_ASpan_ReadAsTheSame()
    {
        using var span = new Activity("Read").SetIdFormat(ActivityIdFormat.W3C).Start();
        span.ActivityTraceFlags = ActivityTraceFlags.Recorded;

        var read = Read(TraceContextHeader.Of(span));

        Assert.Equal((span.TraceId, span.SpanId), (read.TraceId, read.SpanId));
        Assert.Equal(ActivityTraceFlags.Recorded, read.TraceFlags);
        Assert.True(read.IsRemote);
    }

    /// <summary>The bytes of the ids stand on the wire in their order.</summary>
    [Fact]
    public void Read_SpanContextAlone_BytesInOrder()
    {
        var trace = Enumerable.Range(1, 16).Select(static i => (byte)i).ToArray();
        var read = Read(new ExtensionObject(new SpanContextDataType
        {
            TraceId = new Guid(trace),
            SpanId = 0x0807060504030201,
        }));

        Assert.Equal("0102030405060708090a0b0c0d0e0f10", read.TraceId.ToHexString());
        Assert.Equal("0102030405060708", read.SpanId.ToHexString());
    }

    [Fact]
    public void Read_TraceparentBeside_ItsFlagCounts()
    {
        var read = Read(Parameters(
            ("SpanContext", Variant.FromStructure(new SpanContextDataType { TraceId = Guid.NewGuid(), SpanId = 1 })),
            ("traceparent", new Variant("00-0102030405060708090a0b0c0d0e0f10-0102030405060708-00"))));

        Assert.Equal("0102030405060708090a0b0c0d0e0f10", read.TraceId.ToHexString());
        Assert.Equal(ActivityTraceFlags.None, read.TraceFlags);
    }

    public static TheoryData<string, ExtensionObject> Senseless => new()
    {
        { "no parameter", Parameters() },
        { "another one", Parameters(("RetryAfterMs", new Variant(5L))) },
        { "a number", Parameters(("SpanContext", new Variant(5))) },
        { "no text of W3C's", Parameters(("traceparent", new Variant("00-xyz"))) },
        { "no trace", new ExtensionObject(new SpanContextDataType { SpanId = 1 }) },
        { "no span", new ExtensionObject(new SpanContextDataType { TraceId = Guid.NewGuid() }) },
        { "another structure", new ExtensionObject(new Argument()) },
        { "too long", Parameters(("x", new Variant(new string('x', TraceContextHeader.MaxBodyBytes)))) },
    };

    [Theory]
    [MemberData(nameof(Senseless))]
    public void Read_WithoutSense_IsNone(string what, ExtensionObject header) =>
        Assert.True(Read(header) == default, what);

    [Fact]
    public void Read_CutAtEachByte_IsNone()
    {
        var (typeId, body) = Encoded(Parameters(
            ("SpanContext", Variant.FromStructure(new SpanContextDataType { TraceId = Guid.NewGuid(), SpanId = 1 }))));

        for (var length = 0; length < body.Length; length++)
            Assert.Equal(default, TraceContextHeader.Read(typeId, body.AsSpan(0, length), Limits));
    }

    private static ExtensionObject Parameters(params (string Key, Variant Value)[] all) => new(
        new AdditionalParametersType
        {
            Parameters =
            [
                .. all.Select(static one => new KeyValuePair { Key = new QualifiedName(one.Key), Value = one.Value }),
            ],
        });

    private static ActivityContext Read(ExtensionObject header)
    {
        var (typeId, body) = Encoded(header);
        return TraceContextHeader.Read(typeId, body, Limits);
    }

    private static (NodeId TypeId, byte[] Body) Encoded(ExtensionObject header)
    {
        using var buffer = new PooledBuffer(0);
        var writer = new UaBinaryWriter(buffer);
        writer.WriteExtensionObject(header);
        writer.Complete();
        var reader = new UaBinaryReader(buffer.WrittenSpan, Limits);
        var typeId = reader.ReadNodeId();
        Assert.Equal(1, reader.ReadByte());
        return (typeId, reader.ReadByteStringSpan().ToArray());
    }
}
