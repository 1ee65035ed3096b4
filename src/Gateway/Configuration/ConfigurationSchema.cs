using System.Globalization;
using System.Text.Json.Nodes;

namespace Gateway.Host.Configuration;

/// <summary>The JSON Schema of an appsettings.json, made of <see cref="ConfigurationKeys"/>: for editors, and for the
/// values of the Helm chart. Draft 7, because Helm knows no later one. <c>x-live</c> marks what a running gateway takes
/// over: the chart makes a new pod for the other keys only.</summary>
internal static class ConfigurationSchema
{
    private const string Dialect = "http://json-schema.org/draft-07/schema#";

    /// <param name="withSecrets">False: a key with a secret is an unknown key.</param>
    public static JsonObject Make(bool withSecrets)
    {
        var root = NewObject();
        foreach (var key in ConfigurationKeys.All.Where(one => withSecrets || !one.IsSecret))
            Add(root, key.Name.Split(':'), key);
        root.Insert(0, "$schema", Dialect);
        return root;
    }

    private static void Add(JsonObject parent, ReadOnlySpan<string> path, ConfigurationKey key)
    {
        var name = path[0];
        if (name[0] == '<')
        {
            // The operator's own names.
            parent["additionalProperties"] = ListOf(Leaf(key), key);
            return;
        }

        var properties = parent["properties"]!.AsObject();
        if (path.Length == 1)
            properties[name] = Leaf(key);
        else if (path[1] != "N")
            Add(Child(properties, name, NewObject), path[1..], key);
        else if (path.Length == 2)
            properties[name] = ListOf(Leaf(key), key);
        else
            Add(Child(properties, name, NewArray)["items"]!.AsObject(), path[2..], key);
    }

    private static JsonObject Child(JsonObject properties, string name, Func<JsonObject> make)
    {
        if (properties[name] is JsonObject known)
            return known;
        var made = make();
        properties[name] = made;
        return made;
    }

    private static JsonObject NewObject() => new()
    {
        ["type"] = "object",
        ["additionalProperties"] = false,
        ["properties"] = new JsonObject(),
    };

    private static JsonObject NewArray() => new() { ["type"] = "array", ["items"] = NewObject() };

    /// <summary>One text is a list, too.</summary>
    private static JsonObject ListOf(JsonObject leaf, ConfigurationKey key) => new()
    {
        ["description"] = key.Meaning,
        ["type"] = new JsonArray("array", "string"),
        ["items"] = leaf,
    };

    private static JsonObject Leaf(ConfigurationKey key)
    {
        var leaf = new JsonObject { ["description"] = key.Meaning, ["type"] = TypeOf(key) };
        if (key.Choices.Count > 0)
            leaf["enum"] = new JsonArray([.. key.Choices.Select(static one => JsonValue.Create(one))]);
        if (key.Default.Length > 0)
            leaf["x-default"] = key.Default;
        if (key.IsLive)
            leaf["x-live"] = true;
        return leaf;
    }

    /// <summary>By its default; a number may have a fraction.</summary>
    private static string TypeOf(ConfigurationKey key) => key.Default switch
    {
        _ when key.IsNumber => "number",
        _ when key.Choices.Count > 0 => "string",
        "true" or "false" => "boolean",
        var text when double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out _) => "number",
        _ => "string",
    };
}
