using System.Text.Json.Nodes;

namespace Gateway.Rest.Routing;

/// <summary>Pieces of descriptions.</summary>
internal static class ApiText
{
    /// <summary>Errors: JsonException.</summary>
    public static JsonObject Parse(string json) => JsonNode.Parse(json)!.AsObject();

    /// <summary>A JSON array of names that need no escape.</summary>
    public static string ArrayOf(IEnumerable<string> names) => $"""["{string.Join("\",\"", names)}"]""";

    /// <summary>The members of two JSON objects, neither empty, as one.</summary>
    public static string Merge(string first, string second) => $"{first.TrimEnd()[..^1]},{second.TrimStart()[1..]}";
}
