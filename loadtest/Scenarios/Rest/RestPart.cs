using System.Text;
using System.Text.Json;

namespace Gateway.Loadtest.Scenarios.Rest;

/// <summary>One kind of request.</summary>
/// <param name="Name">On the command line and in the columns.</param>
/// <param name="Values">Read or written by one request.</param>
/// <param name="LoadOf">The requests of a connection, by its number.</param>
internal sealed record RestPart(string Name, int Values, Func<HttpTarget, int, IRestLoad> LoadOf)
{
    public const string Empty = "empty";
    private const string SearchLarge = "search-large";

    /// <summary>Of the plant that search-large looks at.</summary>
    private const int LargePlantTags = 100_000;

    private static readonly byte[] Good = Encoding.ASCII.GetBytes("\"status\":\"Good\"");
    private static readonly byte[] Found = Encoding.ASCII.GetBytes("{\"nodes\":[{\"node\":");

    public static string[] Names { get; } = [Empty, "get", "post", "large", "write", "search", SearchLarge];

    /// <summary>Its gateway has so many tags; 0: as many as the scenario's.</summary>
    public int PlantTags { get; private init; }

    /// <summary>0: as many as the scenario's.</summary>
    public int Connections { get; private init; }

    public bool IsSearch => Name.StartsWith("search", StringComparison.Ordinal);

    /// <param name="name">One of <see cref="Names"/>.</param>
    /// <param name="tags">Node ids as they are written in requests.</param>
    /// <param name="writable">A variable for each connection.</param>
    public static RestPart Of(string name, string[] tags, string[] writable) => name switch
    {
        Empty => new(name, 0, static (target, _) => new FixedLoad(target.Get("//empty"), [], 0, null)),
        "get" => new(name, 1, (target, number) => Get(target, tags[number % tags.Length])),
        "post" => new(name, 1, (target, number) => Post(target, [tags[number % tags.Length]])),
        "large" => new(name, tags.Length, (target, _) => Post(target, tags)),
        "write" => new(name, 1, (target, number) => new WriteLoad(target, writable[number])),
        SearchLarge => Search(name) with { PlantTags = LargePlantTags, Connections = 1 },
        _ => Search(name),
    };

    public static string BodyOf(IEnumerable<string> nodes) =>
        $"{{\"nodes\":[{string.Join(',', nodes.Select(static node => $"\"{node}\""))}]}}";

    private static FixedLoad Get(HttpTarget target, string node) => new(
        target.Get("/values?node=" + Uri.EscapeDataString(node)), Good, 1, root => AreNumbers(root, [node]));

    private static FixedLoad Post(HttpTarget target, string[] nodes) => new(
        target.Send("POST", "/values/read", BodyOf(nodes)), Good, nodes.Length, root => AreNumbers(root, nodes));

    /// <summary>Four nodes are found, so all of the plant is looked at.</summary>
    private static RestPart Search(string name) => new(name, 0, static (target, _) => new FixedLoad(
        target.Get("/search?q=Int16&class=Variable&fields=node,displayName"), Found, 1, null));

    /// <summary>In the order asked, each with a number.</summary>
    private static bool AreNumbers(JsonElement root, string[] nodes)
    {
        var values = root.GetProperty("values").EnumerateArray().ToArray();
        return values.Length == nodes.Length && values.Zip(nodes).All(static pair =>
            pair.First.GetProperty("node").GetString() == pair.Second &&
            pair.First.GetProperty("value").ValueKind == JsonValueKind.Number);
    }
}
