using Microsoft.AspNetCore.Http;

namespace Gateway.Rest.Nodes;

/// <summary>The query's <c>fields=node,displayName</c>; without it all.</summary>
internal static class FieldsQuery
{
    private static readonly Dictionary<string, NodeFields> Names = Enum.GetValues<NodeFields>()
        .Where(static field => field is not (NodeFields.None or NodeFields.All))
        .ToDictionary(static field => NameOf(field), StringComparer.Ordinal);

    public static IEnumerable<string> All => Names.Keys;

    public static string Expected { get; } = "fields: expected some of " + string.Join(",", Names.Keys);

    public static bool TryRead(HttpRequest request, out NodeFields fields)
    {
        fields = NodeFields.All;
        var text = request.Query["fields"].ToString();
        if (text.Length == 0)
            return true;
        fields = NodeFields.None;
        foreach (var name in text.Split(',', StringSplitOptions.TrimEntries))
        {
            if (!Names.TryGetValue(name, out var field))
                return false;
            fields |= field;
        }

        return true;
    }

    private static string NameOf(NodeFields field)
    {
        var name = field.ToString();
        return char.ToLowerInvariant(name[0]) + name[1..];
    }
}
