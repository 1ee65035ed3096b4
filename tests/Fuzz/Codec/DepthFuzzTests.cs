using System.Buffers.Binary;
using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Tests.Samples;
using Gateway.Codec.Types;

namespace Gateway.Fuzz.Codec;

/// <summary>R01: ten thousand levels of each recursive form, made by hand because nothing here would write them.
/// </summary>
public sealed class DepthFuzzTests
{
    private const int Levels = 10_000;

    public static TheoryData<string, byte[], byte[]> Repeated => new()
    {
        { "Variant arrays", [0x98, 1, 0, 0, 0], [0] },
        { "DataValues in Variants", [0x17, 0x01], [0] },
        { "DiagnosticInfos in a Variant", [0x40], [0] },
        { "DataValue arrays", [0x97, 1, 0, 0, 0, 1], [0] },
    };

    [Theory]
    [MemberData(nameof(Repeated))]
    public void ReadVariant_TenThousandLevels_IsRefused(string form, byte[] level, byte[] end)
    {
        byte[] start = form.StartsWith("DiagnosticInfo", StringComparison.Ordinal) ? [0x19] : [];
        AssertRefused([.. start, .. Enumerable.Repeat(level, Levels).SelectMany(b => b), .. end]);
    }

    /// <summary>The body of a known ExtensionObject does not restart the count.</summary>
    [Fact]
    public void ReadVariant_TenThousandKnownBodies_IsRefused() =>
        AssertRefused([0x16, .. Nest(LiteralOperand.BinaryEncodingId, [0x16], [])]);

    /// <summary>Operands inside operands: a ContentFilter as the operand of a ContentFilter.</summary>
    [Fact]
    public void ReadVariant_TenThousandFilters_IsRefused() => AssertRefused(
        [0x16, .. Nest(ContentFilter.BinaryEncodingId, [1, 0, 0, 0, 10, 0, 0, 0, 1, 0, 0, 0], [])]);

    /// <summary>An optional field and a union's field of the structure's own type.</summary>
    [Theory]
    [InlineData("optional fields, nested", new byte[] { 0, 2, 0, 0, 0, 0, 0, 0, 0 })]
    [InlineData("union of Inner", new byte[] { 7, 0, 0, 0 })]
    [InlineData("union of Several", new byte[] { 8, 0, 0, 0, 1, 0, 0, 0 })]
    public void Decode_TenThousandStructuresInsideThemselves_IsRefused(string form, byte[] level)
    {
        byte[] bytes = [.. Enumerable.Repeat(level, Levels).SelectMany(b => b), 0, 0, 0, 0, 0, 0, 0, 0, 0];
        var before = GC.GetAllocatedBytesForCurrentThread();
        var reader = new UaBinaryReader(bytes);
        OwnSamples.All[form].Decode(ref reader);
        var allocated = GC.GetAllocatedBytesForCurrentThread() - before;

        Assert.Equal(StatusCodes.BadEncodingLimitsExceeded, reader.Status.Code);
        Assert.InRange(allocated, 0, 64 * 1024);
    }

    /// <summary>ExtensionObjects around each other, each with its true length.</summary>
    private static byte[] Nest(uint encodingId, byte[] before, byte[] innermost)
    {
        var level = 4 + 1 + 4 + before.Length;
        var bytes = new byte[(level * Levels) + innermost.Length];
        for (var i = 0; i < Levels; i++)
        {
            var span = bytes.AsSpan(i * level);
            span[0] = 1;
            BinaryPrimitives.WriteUInt16LittleEndian(span[2..], (ushort)encodingId);
            span[4] = 1;
            BinaryPrimitives.WriteInt32LittleEndian(span[5..], span.Length - 9);
            before.CopyTo(span[9..]);
        }

        innermost.CopyTo(bytes.AsSpan(level * Levels));
        return bytes;
    }

    private static void AssertRefused(byte[] bytes)
    {
        var before = GC.GetAllocatedBytesForCurrentThread();
        var reader = new UaBinaryReader(bytes);
        reader.ReadVariant();
        var allocated = GC.GetAllocatedBytesForCurrentThread() - before;

        Assert.Equal(StatusCodes.BadEncodingLimitsExceeded, reader.Status.Code);
        Assert.InRange(allocated, 0, 64 * 1024);
    }
}
