using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Tests.Samples;
using Gateway.Codec.Types;

namespace Gateway.Codec.Tests.Structures;

/// <summary>Source: Part 6 §5.1.7.</summary>
public sealed class SubtypeTests
{
    public static TheoryData<string, uint> Bodies => new()
    {
        { "none", StatusCodes.Good },
        { "base", StatusCodes.Good },
        { "derived", StatusCodes.Good },
        { "unknown", StatusCodes.Good },
        { "other", StatusCodes.BadDecodingError },
    };

    [Theory]
    [MemberData(nameof(Bodies))]
    public void Decode_Body_IsHeldAgainstTheFieldsType(string body, uint expected)
    {
        var value = Make(body);
        var scalar = Wire.Encode(new SubtypedSample { Token = value });
        var array = Wire.Encode(new SubtypedSample { Tokens = [default, value] });

        Assert.Equal(expected, Wire.Fail(scalar, (ref UaBinaryReader r) => SubtypedSample.Decode(ref r)).Code);
        Assert.Equal(expected, Wire.Fail(array, (ref UaBinaryReader r) => SubtypedSample.Decode(ref r)).Code);
    }

    private static ExtensionObject Make(string body) => body switch
    {
        "base" => new ExtensionObject(new UserIdentityToken { PolicyId = "p" }),
        "derived" => new ExtensionObject(new UserNameIdentityToken { PolicyId = "p" }),
        "unknown" => new ExtensionObject(new NodeId(1, 9), [1, 2, 3]),
        "other" => new ExtensionObject(new Argument()),
        _ => default,
    };
}
