using System.Text.Json.Nodes;

namespace Gateway.Rest.Routing;

/// <summary>Pieces of descriptions.</summary>
internal static class ApiText
{
    /// <summary>A parameter of operations whose answers have an ETag.</summary>
    public const string KnownTag =
        """
        {
          "name": "If-None-Match", "in": "header", "schema": {"type": "string"},
          "description": "The ETag of an earlier answer."
        }
        """;

    /// <summary>The headers of their answers.</summary>
    public const string Tag =
        """{"ETag": {"schema": {"type": "string"}, "description": "Send it back as If-None-Match."} }""";

    /// <summary>Their 304.</summary>
    public const string NotModified = """{"description": "Nothing has changed."}""";

    /// <summary>Errors: JsonException.</summary>
    public static JsonObject Parse(string json) => JsonNode.Parse(json)!.AsObject();

    /// <summary>A JSON array of names that need no escape.</summary>
    public static string ArrayOf(IEnumerable<string> names) => $"""["{string.Join("\",\"", names)}"]""";

    /// <summary>The members of two JSON objects, neither empty, as one.</summary>
    public static string Merge(string first, string second) => $"{first.TrimEnd()[..^1]},{second.TrimStart()[1..]}";
}
