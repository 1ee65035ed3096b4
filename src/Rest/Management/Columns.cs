using Gateway.Codec.Text;
using Gateway.Operations.Access;
using Microsoft.AspNetCore.Http;

namespace Gateway.Rest.Management;

/// <summary>The members that the entries of one list have, and the query's choice among them:
/// <c>fields=id,user</c>; without it all. Immutable.</summary>
internal sealed class Columns<T>
{
    private readonly Column<T>[] _all;

    public Columns(params Column<T>[] all)
    {
        _all = all;
        Expected = "fields: expected some of " + string.Join(",", all.Select(static one => one.Name));
    }

    /// <summary>The problem of a choice that cannot be read.</summary>
    public string Expected { get; }

    /// <summary>The list rarely changes: its answers have an ETag.</summary>
    public bool IsTagged { get; init; }

    public Column<T>[] All => _all;

    public IEnumerable<string> Names => _all.Select(static one => one.Name);

    /// <summary>Null: the query names a member that there is not.</summary>
    public Column<T>[]? Choose(HttpRequest request, Caller caller)
    {
        var text = request.Query["fields"].ToString();
        var names = text.Length == 0 ? [] : text.Split(',', StringSplitOptions.TrimEntries);
        if (names.Any(name => !Array.Exists(_all, column => column.Name == name)))
            return null;
        return [.. SeenBy(caller).Where(column => names.Length == 0 || names.Contains(column.Name))];
    }

    /// <summary>Those that the caller may see.</summary>
    public IEnumerable<Column<T>> SeenBy(Caller caller) => _all.Where(
        column => column.Needs is not { } needed || !AccessPolicy.Check(caller, needed).IsBad);

    public static Column<T> Number(string name, Func<T, long> value) =>
        new(name, (json, entry) => json.WriteNumber(name, value(entry)));

    /// <summary>Absent where there is none.</summary>
    public static Column<T> NumberIfAny(string name, Func<T, long?> value) => new(name, (json, entry) =>
    {
        if (value(entry) is { } number)
            json.WriteNumber(name, number);
    });

    /// <summary>Milliseconds and their parts.</summary>
    public static Column<T> Real(string name, Func<T, double> value) =>
        new(name, (json, entry) => json.WriteNumber(name, value(entry)));

    public static Column<T> Flag(string name, Func<T, bool> value) =>
        new(name, (json, entry) => json.WriteBoolean(name, value(entry)));

    /// <summary>UTC; absent where there is none.</summary>
    public static Column<T> Time(string name, Func<T, DateTime?> value) => new(name, (json, entry) =>
    {
        if (value(entry) is { } time)
            json.WriteString(name, time);
    });

    /// <summary>A text of ours, or of a peer: escaped and cut (R24). Absent where it is empty.</summary>
    public static Column<T> Text(string name, Func<T, string?> value, GatewayPermission? needs = null)
    {
        return new(
            name,
            (json, entry) =>
            {
                if (Shown(entry) is { Length: > 0 } text)
                    json.WriteString(name, text);
            },
            needs, Shown);

        string Shown(T entry) => PeerText.EscapeLine(value(entry), MaxTextLength);
    }

    /// <summary>Texts of ours; absent where there are none.</summary>
    public static Column<T> Texts(string name, Func<T, IReadOnlyList<string>> value) => new(name, (json, entry) =>
    {
        var texts = value(entry);
        if (texts.Count == 0)
            return;
        json.WriteStartArray(name);
        foreach (var text in texts)
            json.WriteStringValue(text);
        json.WriteEndArray();
    });

    private const int MaxTextLength = 1000;
}
