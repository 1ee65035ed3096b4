using System.Reflection;
using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Tests.Samples;

namespace Gateway.Codec.Tests.Structures;

public sealed class StructureRoundTripTests
{
    public static TheoryData<string> Names => new(SampleStructures.Types.Select(t => t.Name));

    [Theory]
    [MemberData(nameof(Names))]
    public void Decode_FilledStructure_GivesEveryFieldBack(string name)
    {
        var sample = SampleStructures.Make(TypeOf(name));
        Assert.True(StructureRegistry.TryGet(sample.DataTypeId, out var entry));

        var bytes = Wire.Encode(sample);
        var back = Wire.Decode(bytes, (ref UaBinaryReader r) => entry.DecodeBinary(ref r));

        Assert.Null(StructureEquality.Difference(sample, back));
        Assert.Equal(bytes, Wire.Encode(back));
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void Decode_DefaultStructure_GivesDefaultsBack(string name)
    {
        var sample = (IStructure)Activator.CreateInstance(TypeOf(name))!;
        Assert.True(StructureRegistry.TryGet(sample.DataTypeId, out var entry));

        var bytes = Wire.Encode(sample);
        var back = Wire.Decode(bytes, (ref UaBinaryReader r) => entry.DecodeBinary(ref r));

        Assert.Equal(bytes, Wire.Encode(back));
    }

    /// <summary>The generated minimum bounds allocations: too high would refuse legal arrays.</summary>
    [Theory]
    [MemberData(nameof(Names))]
    public void MinimumSizeBytes_DefaultStructure_IsNeverMore(string name)
    {
        var type = TypeOf(name);
        var bytes = Wire.Encode((IStructure)Activator.CreateInstance(type)!);

        var minimum = (int)typeof(StructureRoundTripTests)
            .GetMethod(nameof(Minimum), BindingFlags.NonPublic | BindingFlags.Static)!
            .MakeGenericMethod(type).Invoke(null, null)!;

        Assert.InRange(minimum, 0, bytes.Length);
    }

    [Fact]
    public void Encode_DerivedStructureHeldAsItsBase_WritesTheDerivedFields()
    {
        UserIdentityToken token = new UserNameIdentityToken { PolicyId = "p", UserName = "u" };

        var bytes = Wire.Encode((ref UaBinaryWriter w) => token.Encode(ref w));

        var back = Wire.Decode(bytes, (ref UaBinaryReader r) => UserNameIdentityToken.Decode(ref r));
        Assert.Equal("u", back.UserName);
        Assert.Equal(UserNameIdentityToken.BinaryEncodingId, ((IStructure)token).BinaryEncodingId);
    }

    [Fact]
    public void Encode_NullStructureAndNullElement_WriteDefaults()
    {
        var endpoint = new EndpointDescription { Server = null!, UserIdentityTokens = [null!] };
        var expected = new EndpointDescription { UserIdentityTokens = [new UserTokenPolicy()] };

        Assert.Equal(Wire.Encode(expected), Wire.Encode(endpoint));
    }

    [Fact]
    public void Decode_ReadRequest_KeepsOrderAndNullArrays()
    {
        var request = new ReadRequest { MaxAge = 7, TimestampsToReturn = TimestampsToReturn.Both };

        var back = Wire.Decode(Wire.Encode(request), (ref UaBinaryReader r) => ReadRequest.Decode(ref r));

        Assert.Null(back.NodesToRead);
        Assert.Equal(7, back.MaxAge);
        Assert.Equal(TimestampsToReturn.Both, back.TimestampsToReturn);
        Assert.Equal(default, back.RequestHeader.AuthenticationToken);
    }

    private static int Minimum<T>()
        where T : IStructure<T> => T.MinimumSizeBytes;

    private static Type TypeOf(string name) => SampleStructures.Types.Single(t => t.Name == name);
}
