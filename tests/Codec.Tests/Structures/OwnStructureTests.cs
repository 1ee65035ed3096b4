using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Tests.Samples;
using Gateway.Codec.Types;

namespace Gateway.Codec.Tests.Structures;

/// <summary>What holds for every structure of namespace 0, for the kinds that only these tests declare.</summary>
public sealed class OwnStructureTests
{
    private const int Elements = 20_000;

    public static TheoryData<string> Names => [.. OwnSamples.All.Keys];

    [Theory]
    [MemberData(nameof(Names))]
    public void Decode_Encoded_GivesEveryFieldBack(string name)
    {
        var sample = OwnSamples.All[name];
        var bytes = Wire.Encode(sample.Value);

        var back = Wire.Decode(bytes, (ref UaBinaryReader r) => sample.Decode(ref r));

        Assert.Null(StructureEquality.Difference(sample.Value, back));
        Assert.Equal(bytes, Wire.Encode(back));
    }

    /// <summary>R02: few bytes make a large object, so it is charged before it is made.</summary>
    [Fact]
    public void ReadStructureArray_SmallestElements_AreChargedAtLeastWhatTheyTake()
    {
        AssertCharged((ref UaBinaryReader r) => r.ReadStructureArray<OptionalSample>(), new OptionalSample());
        AssertCharged((ref UaBinaryReader r) => r.ReadStructureArray<UnionSample>(), new UnionSample());
        AssertCharged((ref UaBinaryReader r) => r.ReadStructureArray<UnionSample>(), new UnionSample { Class = new() });
    }

    [Fact]
    public void ReadStructureArray_OverTheBudget_IsRefused()
    {
        var bytes = Repeat(new UnionSample());
        var limits = new DecodingLimits { MaxDecodedBytes = 16 * 1024 };

        var status = Wire.Fail(bytes, (ref UaBinaryReader r) => r.ReadStructureArray<UnionSample>(), limits);

        Assert.Equal(StatusCodes.BadEncodingLimitsExceeded, status.Code);
    }

    [Fact]
    public void Encode_FullBuffer_StopsWithAStatus()
    {
        using var buffer = new PooledBuffer(limitBytes: 16);
        var writer = new UaBinaryWriter(buffer);

        new UnionSample { Field2 = new string('x', 5000) }.Encode(ref writer);

        Assert.Equal(StatusCodes.BadEncodingLimitsExceeded, writer.Status.Code);
    }

    private static void AssertCharged<T>(Wire.Read<T> read, IStructure element)
    {
        var bytes = Repeat(element);
        Wire.Decode(bytes, read);
        var before = GC.GetAllocatedBytesForCurrentThread();
        var reader = new UaBinaryReader(bytes);
        read(ref reader);
        var allocated = GC.GetAllocatedBytesForCurrentThread() - before;

        Assert.Equal(StatusCode.Good, reader.Status);
        // A sixth is left behind by growing arrays; the runtime counts in blocks of 8 KiB.
        Assert.InRange(allocated, 0, (reader.DecodedBytes * 7 / 6) + 8192);
    }

    private static byte[] Repeat(IStructure element) => Wire.Encode((ref UaBinaryWriter w) =>
    {
        w.WriteInt32(Elements);
        for (var i = 0; i < Elements; i++)
            element.Encode(ref w);
    });
}
