using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Tests.Samples;
using Gateway.Codec.Types;

namespace Gateway.Codec.Tests.Binary;

/// <summary>R01: one counter for every recursive form, also through the body of a known ExtensionObject.</summary>
public sealed class DepthTests
{
    public static TheoryData<string> Forms => [nameof(Variants), nameof(DataValues), nameof(Inner), nameof(Bodies)];

    [Theory]
    [MemberData(nameof(Forms))]
    public void Read_UpToTheLimit_IsRead(string form) => Assert.Equal(StatusCode.Good, Read(form, 24));

    [Theory]
    [MemberData(nameof(Forms))]
    public void Read_PastTheLimit_IsRefused(string form) =>
        Assert.Equal(StatusCodes.BadEncodingLimitsExceeded, Read(form, 101).Code);

    private static StatusCode Read(string form, int levels)
    {
        var bytes = form switch
        {
            nameof(Variants) => Variants(levels),
            nameof(DataValues) => DataValues(levels),
            nameof(Inner) => Inner(levels),
            _ => Bodies(levels),
        };
        return form == nameof(Inner)
            ? Wire.Fail(bytes, (ref UaBinaryReader r) => r.ReadDiagnosticInfo())
            : Wire.Fail(bytes, (ref UaBinaryReader r) => r.ReadVariant());
    }

    private static byte[] Variants(int levels) => Nest(new Variant(1), levels, v =>
        Variant.FromArray(BuiltInType.Variant, new[] { v }));

    private static byte[] DataValues(int levels) => Nest(new Variant(1), levels, v => new Variant(new DataValue(v)));

    private static byte[] Bodies(int levels) => Nest(new Variant(1), levels, v =>
        Variant.FromStructure(new LiteralOperand { Value = v }));

    private static byte[] Inner(int levels)
    {
        var info = new DiagnosticInfo { SymbolicId = 1 };
        for (var i = 1; i < levels; i++)
            info = new DiagnosticInfo { InnerDiagnosticInfo = info };
        return Wire.Encode((ref UaBinaryWriter w) => w.WriteDiagnosticInfo(info));
    }

    private static byte[] Nest(Variant value, int levels, Func<Variant, Variant> wrap)
    {
        for (var i = 0; i < levels; i++)
            value = wrap(value);
        return Wire.Encode((ref UaBinaryWriter w) => w.WriteVariant(value));
    }
}
