using System.Text;
using Gateway.Codec.Json;
using Gateway.Codec.Structures;
using Gateway.Codec.Tests.Samples;
using Gateway.Codec.Types;

namespace Gateway.Codec.Tests.Json;

/// <summary>Optional fields, unions, enumerations. Source: Part 6 §5.4.4, §5.4.7, §5.4.8, §H.10.</summary>
public sealed class JsonKindTests
{
    /// <summary>The standard's TypeA: O1 is not there, and O2 is there with its default.</summary>
    [Theory]
    [InlineData(JsonEncoding.Compact, """{"EncodingMask":2,"X":1,"Y":2}""")]
    [InlineData(JsonEncoding.Reversible, """{"EncodingMask":2,"X":1,"Y":2}""")]
    [InlineData(JsonEncoding.Verbose, """{"X":1,"Y":2,"O2":0}""")]
    [InlineData(JsonEncoding.NonReversible, """{"X":1,"Y":2,"O2":0}""")]
    public void OptionalFields_StandardsExample_HasItsText(JsonEncoding encoding, string text)
    {
        var sample = new OptionalSample { X = 1, Y = 2, O2 = 0 };
        Assert.Equal(text, JsonOf.Text(encoding, w => w.WriteStructure(sample)));
        var back = Read<OptionalSample>(text);
        Assert.Equal((1, null, (sbyte)2, 0), (back.X, back.O1, back.Y, back.O2));
    }

    /// <summary>A field that only the mask names has its default; without a mask the fields say it.</summary>
    [Fact]
    public void OptionalFields_MaskWithoutFields_AreDefaults()
    {
        var back = Read<OptionalSample>("""{"EncodingMask":113}""");
        Assert.Equal((0, null), (back.O1, back.O2));
        Assert.Equal((NodeClass)0, back.Kind);
        Assert.NotNull(back.Struct);
        Assert.NotNull(back.Class);
        Assert.Null(Read<OptionalSample>("{}").Class);
        Assert.Equal(4, Read<DerivedOptionalSample>("""{"O3":4}""").O3!.Value);
        Assert.Equal(0, Read<DerivedOptionalSample>("""{"EncodingMask":1024}""").O3!.Value);
    }

    [Theory]
    [InlineData("""{"EncodingMask":2,"O1":1}""", "$: expected an EncodingMask that names each optional field")]
    [InlineData("""{"EncodingMask":1024}""", "$: expected an EncodingMask of 10 bits")]
    [InlineData("""{"EncodingMask":-1}""", "$.EncodingMask: expected UInt32")]
    [InlineData("""{"Next":{"X":true}}""", "$.Next.X: expected Int32")]
    public void OptionalFields_Wrong_AreErrors(string text, string problem) =>
        AssertFails<OptionalSample>(text, problem);

    [Theory]
    [InlineData(JsonEncoding.Compact, """{"SwitchField":2,"Field2":"a"}""")]
    [InlineData(JsonEncoding.Reversible, """{"SwitchField":2,"Value":"a"}""")]
    [InlineData(JsonEncoding.Verbose, """{"Field2":"a"}""")]
    [InlineData(JsonEncoding.NonReversible, "\"a\"")]
    public void Union_OfAField_HasTheTextOfItsEncoding(JsonEncoding encoding, string text)
    {
        Assert.Equal(text, JsonOf.Text(encoding, w => w.WriteStructure(new UnionSample { Field2 = "a" })));
        if (encoding != JsonEncoding.NonReversible)
            Assert.Equal(("a", 2u), (Read<UnionSample>(text).Field2, Read<UnionSample>(text).SwitchField));
    }

    [Theory]
    [InlineData(JsonEncoding.Compact, """{"SwitchField":1}""", "{}")]
    [InlineData(JsonEncoding.Reversible, """{"SwitchField":1}""", "{}")]
    [InlineData(JsonEncoding.Verbose, """{"Field1":0}""", "{}")]
    [InlineData(JsonEncoding.NonReversible, "0", "null")]
    public void Union_OfADefaultOrOfNone_IsTold(JsonEncoding encoding, string ofDefault, string ofNone)
    {
        Assert.Equal(ofDefault, JsonOf.Text(encoding, w => w.WriteStructure(new UnionSample { Field1 = 0 })));
        Assert.Equal(ofNone, JsonOf.Text(encoding, w => w.WriteStructure(new UnionSample())));
        if (encoding != JsonEncoding.NonReversible)
            Assert.Equal((0, 1u), (Read<UnionSample>(ofDefault).Field1, Read<UnionSample>(ofDefault).SwitchField));
        Assert.Equal(0u, Read<UnionSample>(ofNone).SwitchField);
    }

    [Theory]
    [InlineData("""{"Value":"a","SwitchField":2}""")]
    [InlineData("""{"Field2":"a","SwitchField":2}""")]
    public void Union_SwitchFieldLast_IsRead(string text) => Assert.Equal("a", Read<UnionSample>(text).Field2);

    [Theory]
    [InlineData("""{"SwitchField":9}""", "$: expected a SwitchField, 0 … 8")]
    [InlineData("""{"SwitchField":1,"Field2":"a"}""", "$: expected the field that SwitchField names")]
    [InlineData("""{"SwitchField":0,"Field2":"a"}""", "$: expected a SwitchField that names")]
    [InlineData("""{"Field1":1,"Field2":"a"}""", "$.Field2: expected a union of one field")]
    [InlineData("""{"Value":1}""", "$: expected a member SwitchField")]
    [InlineData("""{"SwitchField":1,"Value":"a"}""", "$.Value: expected Int32")]
    [InlineData("""{"Inner":{"Field1":"a"}}""", "$.Inner.Field1: expected Int32")]
    public void Union_Wrong_IsAnError(string text, string problem) => AssertFails<UnionSample>(text, problem);

    /// <summary>A union that is the body of an ExtensionObject has its type inside its braces.</summary>
    [Theory]
    [InlineData(JsonEncoding.Compact, """{"UaTypeId":"i=900005","SwitchField":1,"Field1":7}""")]
    [InlineData(JsonEncoding.Verbose, """{"UaTypeId":"i=900005","Field1":7}""")]
    [InlineData(JsonEncoding.Reversible, """{"TypeId":{"Id":900005},"Body":{"SwitchField":1,"Value":7}}""")]
    [InlineData(JsonEncoding.NonReversible, "7")]
    public void Union_AsBody_StandsInline(JsonEncoding encoding, string text) => Assert.Equal(
        text, JsonOf.Text(encoding, w => w.WriteExtensionObject(new(new UnionSample { Field1 = 7 }))));

    [Theory]
    [InlineData(JsonEncoding.Compact, "2", "77")]
    [InlineData(JsonEncoding.Reversible, "2", "77")]
    [InlineData(JsonEncoding.Verbose, "\"Variable_2\"", "\"77\"")]
    [InlineData(JsonEncoding.NonReversible, "\"Variable_2\"", "\"77\"")]
    public void Enumeration_KnownOrNot_HasTheTextOfItsEncoding(JsonEncoding encoding, string known, string unknown)
    {
        Assert.Contains($"\"Kind\":{known}", Text(NodeClass.Variable), StringComparison.Ordinal);
        Assert.Contains($"\"Kind\":{unknown}", Text((NodeClass)77), StringComparison.Ordinal);
        Assert.Equal(NodeClass.Variable, Read<OptionalSample>($$"""{"Kind":{{known}}}""").Kind);
        Assert.Equal((NodeClass)77, Read<OptionalSample>($$"""{"Kind":{{unknown}}}""").Kind);

        string Text(NodeClass kind) =>
            JsonOf.Text(encoding, w => w.WriteStructure(new OptionalSample { Kind = kind }));
    }

    [Theory]
    [InlineData("-5", -5)]
    [InlineData("\"Some_Name_-5\"", -5)]
    [InlineData("\"5\"", 5)]
    public void Enumeration_AnyForm_IsItsNumber(string text, int number) =>
        Assert.Equal((NodeClass)number, Read<OptionalSample>($$"""{"Kind":{{text}}}""").Kind);

    [Theory]
    [InlineData("\"Variable\"", "$.Kind: expected a number, or a text Name_Number")]
    [InlineData("\"A_99999999999\"", "$.Kind: expected a number, or a text Name_Number")]
    [InlineData("2.5", "$.Kind: expected Int32")]
    [InlineData("null", "$.Kind: expected Int32")]
    public void Enumeration_Wrong_IsAnError(string text, string problem) =>
        AssertFails<OptionalSample>($$"""{"Kind":{{text}}}""", problem);

    /// <summary>An OptionSet is a number in every encoding.</summary>
    [Fact]
    public void OptionSet_Verbose_IsANumber()
    {
        var text = JsonOf.Text(
            JsonEncoding.Verbose, w => w.WriteStructure(new RolePermissionType { Permissions = PermissionType.Read }));
        Assert.Equal("""{"RoleId":null,"Permissions":32}""", text);
        Assert.Equal(PermissionType.Read, Read<RolePermissionType>(text).Permissions);
    }

    /// <summary>R01: structures inside structures, read and written.</summary>
    [Fact]
    public void Structures_TooDeep_AreRefused()
    {
        foreach (var (start, field) in new[] { ("{\"Next\":", "Next"), ("{\"Several\":[{\"Inner\":", "Several") })
        {
            var text = Encoding.UTF8.GetBytes(string.Concat(Enumerable.Repeat(start, 10_000)));
            var failed = field == "Next"
                ? JsonOf.Fail(text, (ref UaJsonReader r) => r.ReadStructure<OptionalSample>())
                : JsonOf.Fail(text, (ref UaJsonReader r) => r.ReadStructure<UnionSample>());
            Assert.Equal(StatusCodes.BadEncodingLimitsExceeded, failed.Status.Code);
        }

        var sample = new OptionalSample();
        for (var i = 0; i < 10_000; i++)
            sample = new OptionalSample { Next = sample };
        var writer = UaJsonWriter.Rent(JsonFormat.Compact);
        writer.WriteStructure(sample);
        Assert.Equal(StatusCodes.BadEncodingLimitsExceeded, writer.Status.Code);
        writer.Return();
    }

    private static T Read<T>(string text)
        where T : IJsonStructure<T>, new() => JsonOf.Value(text, (ref UaJsonReader r) => r.ReadStructure<T>());

    private static void AssertFails<T>(string text, string problem)
        where T : IJsonStructure<T>, new()
    {
        var failed = JsonOf.Fail(Encoding.UTF8.GetBytes(text), (ref UaJsonReader r) => r.ReadStructure<T>());
        Assert.Equal(StatusCodes.BadDecodingError, failed.Status.Code);
        Assert.StartsWith(problem, failed.Problem);
    }
}
