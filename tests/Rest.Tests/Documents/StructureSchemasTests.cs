using System.Text.Json;
using System.Text.Json.Nodes;
using Gateway.Codec.Json;
using Gateway.Codec.Structures;
using Gateway.Rest.Documents;

namespace Gateway.Rest.Tests.Documents;

/// <summary>The schemas have the members that the codec writes and reads, of every declared structure.</summary>
public sealed class StructureSchemasTests
{
    private static readonly JsonFormat Verbose = new() { Encoding = JsonEncoding.Verbose };

    public static TheoryData<Type> Structures => [.. StructureRegistry.All.Select(static entry => entry.Type)];

    [Theory]
    [MemberData(nameof(Structures))]
    public void Members_OfADeclaration_AreThoseThatTheCodecWrites(Type type)
    {
        var components = new JsonObject();
        new StructureSchemas(components).Add([type]);
        var described = components[type.Name]!["properties"]!.AsObject().Select(static member => member.Key).ToList();
        if (described.Contains("SwitchField"))
            return;
        var optional = StructureSchemas.FieldsOf(type)
            .Where(static field => field.IsDefined(typeof(OptionalFieldAttribute), inherit: false))
            .Select(static field => field.Name);
        var written = Write((IJsonStructure)Activator.CreateInstance(type)!).EnumerateObject()
            .Select(static member => member.Name);
        Assert.Equal(
            written.Order(StringComparer.Ordinal),
            described.Except(optional).Except(["EncodingMask"]).Order(StringComparer.Ordinal));
    }

    [Fact]
    public void References_OfAllStructures_Resolve()
    {
        var components = new JsonObject();
        new StructureSchemas(components).Add(StructureRegistry.All.Select(static entry => entry.Type));
        Assert.All(ReferencesOf(components), reference => Assert.True(
            components.ContainsKey(reference["#/components/schemas/".Length..]), reference));
    }

    private static IEnumerable<string> ReferencesOf(JsonNode? node) => node switch
    {
        JsonObject members => members.SelectMany(static member =>
            member is { Key: "$ref", Value: JsonValue value }
                ? [value.GetValue<string>()]
                : ReferencesOf(member.Value)),
        JsonArray elements => elements.SelectMany(ReferencesOf),
        _ => [],
    };

    private static JsonElement Write(IJsonStructure structure)
    {
        var writer = UaJsonWriter.Rent(Verbose);
        structure.Encode(writer);
        writer.Json.Flush();
        using var document = JsonDocument.Parse(writer.WrittenSpan.ToArray());
        writer.Return();
        return document.RootElement.Clone();
    }
}
