using System.Globalization;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Events.Plain;

/// <summary>The names of an event's fields for people who know no browse paths: the standard's, the first letter of
/// each small, and four that are shorter. <c>2:Name</c> is one of another namespace,
/// <c>shelvingState/currentState</c> one below another.</summary>
public static class PlainFields
{
    public const string Expected =
        "expected names of fields such as message or activeState/transitionTime, separated by commas";

    private const int MaxNameLength = 512;
    private const int MaxLevels = 32;

    private static readonly NodeId BaseEventType = new(StandardIds.ObjectTypes.BaseEventType);

    /// <summary>Source: Part 9 §5.5.2 for the ConditionId, an attribute and not a property.</summary>
    private const string ConditionId = "alarm";

    private static readonly Dictionary<string, string> Short = new(StringComparer.Ordinal)
    {
        ["active"] = "activeState/id",
        ["acknowledged"] = "ackedState/id",
        ["confirmed"] = "confirmedState/id",
    };

    private static readonly Dictionary<string, string> ShortOf =
        Short.ToDictionary(static one => one.Value, static one => one.Key, StringComparer.Ordinal);

    /// <summary>A field that an event does not have is absent, so that one list suits events and alarms. An alarm is
    /// named by its ConditionId and its BranchId together (Part 9 §5.5.2): an answered branch ends alone.</summary>
    public static IReadOnlyList<string> Usual { get; } =
    [
        "eventId", "eventType", "sourceNode", "sourceName", "time", "message", "severity", ConditionId,
        "branchId", "conditionName", "active", "acknowledged", "retain",
    ];

    public static SimpleAttributeOperand Of(string name) =>
        TryParse(name, out var clause, out _) ? clause : throw new ArgumentException(name, nameof(name));

    /// <summary>False: it is no name of a field.</summary>
    /// <param name="name">As the client wrote it.</param>
    /// <param name="clause">Selects it.</param>
    /// <param name="plain">The name of the member: the same for all ways to write it.</param>
    public static bool TryParse(string name, out SimpleAttributeOperand clause, out string plain)
    {
        (clause, plain) = (null!, "");
        if (name.Length is 0 or > MaxNameLength)
            return false;
        if (name == ConditionId)
        {
            plain = ConditionId;
            clause = new SimpleAttributeOperand
            {
                TypeDefinitionId = new NodeId(StandardIds.ObjectTypes.ConditionType),
                AttributeId = (uint)AttributeId.NodeId,
            };
            return true;
        }

        var parts = Short.GetValueOrDefault(name, name).Split('/');
        if (parts.Length > MaxLevels)
            return false;
        var path = new QualifiedName[parts.Length];
        for (var i = 0; i < parts.Length; i++)
        {
            if (!TryParsePart(parts[i], out path[i]))
                return false;
        }

        plain = string.Join('/', path.Select(PlainOf));
        plain = ShortOf.GetValueOrDefault(plain, plain);
        clause = new SimpleAttributeOperand
        {
            TypeDefinitionId = BaseEventType,
            BrowsePath = path,
            AttributeId = (uint)AttributeId.Value,
        };
        return true;
    }

    private static bool TryParsePart(string part, out QualifiedName name)
    {
        name = default;
        var colon = part.IndexOf(':', StringComparison.Ordinal);
        var index = (ushort)0;
        if (colon > 0 && !ushort.TryParse(
            part.AsSpan(0, colon), NumberStyles.None, CultureInfo.InvariantCulture, out index))
            return false;
        var text = part[(colon + 1)..];
        if (text.Length == 0 || colon == 0)
            return false;
        name = index == 0
            ? new QualifiedName(char.ToUpperInvariant(text[0]) + text[1..])
            : new QualifiedName(text, index);
        return true;
    }

    private static string PlainOf(QualifiedName name) => name.NamespaceIndex == 0
        ? char.ToLowerInvariant(name.Name![0]) + name.Name[1..]
        : string.Create(CultureInfo.InvariantCulture, $"{name.NamespaceIndex}:{name.Name}");
}
