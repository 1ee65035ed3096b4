using System.Globalization;
using System.Text.Json;
using Gateway.Codec.Text;

namespace Gateway.Host.Importing;

/// <summary>The members of an object of a file that another program wrote, in any case. Those that nobody asked for
/// are told at the end.</summary>
internal sealed class JsonSettings
{
    private readonly Dictionary<string, JsonElement> _members = new(StringComparer.OrdinalIgnoreCase);
    private readonly HashSet<string> _asked = new(StringComparer.OrdinalIgnoreCase);
    private readonly ImportNotes _notes;

    public JsonSettings(JsonElement element, ImportNotes notes)
    {
        _notes = notes;
        if (element.ValueKind != JsonValueKind.Object)
            return;
        foreach (var member in element.EnumerateObject())
        {
            if (member.Value.ValueKind != JsonValueKind.Null)
                _members[member.Name] = member.Value;
        }
    }

    /// <summary>Of the first of these names that is there; empty: none is. A number is its digits.</summary>
    public string Text(params ReadOnlySpan<string> names)
    {
        var found = string.Empty;
        foreach (var name in names)
        {
            _asked.Add(name);
            if (found.Length == 0 && _members.TryGetValue(name, out var member))
                found = member.ValueKind is JsonValueKind.String ? member.GetString()!
                    : member.ValueKind is JsonValueKind.Number or JsonValueKind.True or JsonValueKind.False
                        ? member.GetRawText()
                        : string.Empty;
        }

        return found;
    }

    /// <summary>Null: it is not there.</summary>
    public bool? Flag(string name) => bool.TryParse(Text(name), out var flag) ? flag : null;

    /// <summary>Null: it is not there, or is no number.</summary>
    public double? Number(string name) =>
        double.TryParse(Text(name), NumberStyles.Float, CultureInfo.InvariantCulture, out var number) &&
        double.IsFinite(number)
            ? number
            : null;

    /// <summary>Milliseconds, by the first name that is there: a number, or with <c>Timespan</c> behind it a time.
    /// </summary>
    public double? Milliseconds(params ReadOnlySpan<string> names)
    {
        double? found = null;
        foreach (var name in names)
        {
            var number = Number(name);
            var time = TimeSpan.TryParse(Text(name + "Timespan"), CultureInfo.InvariantCulture, out var span)
                ? span.TotalMilliseconds
                : (double?)null;
            found ??= time ?? number;
        }

        return found;
    }

    public IEnumerable<JsonElement> List(string name)
    {
        _asked.Add(name);
        return _members.TryGetValue(name, out var member) && member.ValueKind == JsonValueKind.Array
            ? member.EnumerateArray()
            : [];
    }

    /// <summary>Null: it is not there.</summary>
    public JsonElement? Element(string name)
    {
        _asked.Add(name);
        return _members.TryGetValue(name, out var member) ? member : null;
    }

    /// <summary>These mean nothing here, and nobody misses them.</summary>
    public void Ignore(params ReadOnlySpan<string> names)
    {
        foreach (var name in names)
            _asked.Add(name);
    }

    /// <param name="of">The object that has them, in words.</param>
    public void TellRest(string of)
    {
        foreach (var name in _members.Keys.Where(one => !_asked.Contains(one)))
            _notes.Lost($"{PeerText.Escape(name)} of {of}: the gateway has no such setting");
    }
}
