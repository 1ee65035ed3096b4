using System.Reflection;
using System.Text.Json.Nodes;
using Gateway.Publish;
using Gateway.Server;
using Gateway.Transport.Http;

namespace Gateway.Rest.Documents;

/// <summary>Puts the configured limits into a document: <c>"{MaxHttpNodes}"</c> becomes its number. Thread-safe.
/// </summary>
internal sealed class ApiLimits(RestLimits rest, HttpLimits http, ServerLimits server, PublishLimits publishing)
{
    private readonly Dictionary<string, long> _byName =
        Read(rest, http, server, publishing);

    /// <summary>Errors: InvalidOperationException for a name that is no limit.</summary>
    public void Fill(JsonNode node)
    {
        if (node is JsonObject members)
        {
            foreach (var name in members.Select(static member => member.Key).ToArray())
                Fill(members[name], number => members[name] = number);
        }
        else if (node is JsonArray elements)
        {
            for (var i = 0; i < elements.Count; i++)
            {
                var place = i;
                Fill(elements[i], number => elements[place] = number);
            }
        }
    }

    private void Fill(JsonNode? child, Action<long> replace)
    {
        if (child is JsonValue value && value.TryGetValue(out string? text))
        {
            if (text.Length > 2 && text[0] == '{' && text[^1] == '}' && char.IsAsciiLetterUpper(text[1]))
                replace(Find(text[1..^1]));
        }
        else if (child is not null)
        {
            Fill(child);
        }
    }

    private long Find(string name) => _byName.TryGetValue(name, out var number)
        ? number
        : throw new InvalidOperationException($"{name} is no limit");

    private static Dictionary<string, long> Read(params object[] owners)
    {
        var byName = new Dictionary<string, long>(StringComparer.Ordinal);
        foreach (var owner in owners)
        {
            foreach (var property in owner.GetType().GetProperties(BindingFlags.Public | BindingFlags.Instance))
            {
                if (property.GetValue(owner) is { } value and (int or long))
                    byName[property.Name] = Convert.ToInt64(value, null);
            }
        }

        return byName;
    }
}
