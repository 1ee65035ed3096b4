using System.Globalization;
using System.Text.Json;
using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Plain;
using Gateway.Operations.Access;
using Gateway.Rest.Nodes;

namespace Gateway.Rest.Events;

/// <summary>Makes an EventFilter of a wish. Thread-safe.</summary>
internal sealed class EventForms(NodeTable nodes, NodeAccess access, NodeNames names, PlainTypeNames typeNames)
{
    public const int MaxFields = 200;
    public const int MaxTypes = 50;

    private const string AlarmsActive = "active";

    /// <summary>Null with the problem in words.</summary>
    public EventForm? Make(Caller caller, EventAsk ask, out string problem)
    {
        problem = "";
        if (ask.Alarms is not (null or AlarmsActive))
            problem = "alarms: expected active";
        else if (ask.MinSeverity is { } severity && !(severity is >= 0 and <= PlainFilter.MaxSeverity))
            problem = $"minSeverity: expected a number from 0 to {PlainFilter.MaxSeverity}";
        else if (ask.Fields.Count > MaxFields)
            problem = $"fields: at most {MaxFields}";
        else if (ask.Types.Count > MaxTypes)
            problem = $"type: at most {MaxTypes}";
        if (problem.Length > 0 || TypesOf(caller, ask.Types, ref problem) is not { } types ||
            ClausesOf(ask.Fields, ref problem) is not { } members)
            return null;
        var filter = PlainFilter.Of(
            [PlainFields.Of("eventType"), .. members.Select(static one => one.Clause)], types,
            (int)(ask.MinSeverity ?? 0));
        var text = string.Create(
            CultureInfo.InvariantCulture,
            $"{ask.Alarms};{ask.MinSeverity};{string.Join(',', types)};{string.Join(',', members.Select(NameOf))}");
        return new EventForm(
            filter, Array.ConvertAll(members, static one => JsonEncodedText.Encode(one.Name)), text,
            hasAlarms: ask.Alarms is not null);

        static string NameOf((SimpleAttributeOperand Clause, string Name) one) => one.Name;
    }

    private static (SimpleAttributeOperand Clause, string Name)[]? ClausesOf(
        IReadOnlyList<string> fields, ref string problem)
    {
        var members = new List<(SimpleAttributeOperand, string)>();
        var seen = new HashSet<string>(StringComparer.Ordinal);
        foreach (var field in fields.Count == 0 ? PlainFields.Usual : fields)
        {
            if (!PlainFields.TryParse(field, out var clause, out var name))
            {
                problem = "fields: " + PlainFields.Expected;
                return null;
            }

            if (seen.Add(name))
                members.Add((clause, name));
        }

        return [.. members];
    }

    private NodeId[]? TypesOf(Caller caller, IReadOnlyList<string> texts, ref string problem)
    {
        var types = new NodeId[texts.Count];
        for (var i = 0; i < types.Length; i++)
        {
            var isId = names.TryParse(texts[i], out var named);
            types[i] = isId ? named.Id
                : typeNames.Find(texts[i], type => IsTypeOfEvents(caller, type)) is { IsNone: false } type
                    ? nodes.GetNodeId(type)
                    : NodeId.Null;
            if (!types[i].IsNull && (!isId || IsTypeOfEvents(caller, nodes.Find(types[i]))))
                continue;
            problem = string.Create(
                CultureInfo.InvariantCulture,
                $"type[{i}]: expected the name or the node id of a type of events, such as AlarmConditionType");
            return null;
        }

        return types;
    }

    private bool IsTypeOfEvents(Caller caller, NodeHandle type) =>
        PlainTypes.IsOne(nodes, nodes.GetNodeId(type)) && access.IsVisible(caller, type);
}
