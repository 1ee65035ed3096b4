using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Events.Conditions;

/// <summary>A method of the standard's condition types. Source: Part 9 §5.5 to §5.8.</summary>
/// <param name="Act">Null: a refresh, which is called on the type.</param>
/// <param name="Inputs">Its InputArguments.</param>
public sealed record ConditionMethod(ConditionAct? Act, Argument[] Inputs)
{
    private static readonly Argument EventId = Of("EventId", StandardIds.DataTypes.ByteString);
    private static readonly Argument Comment = Of("Comment", StandardIds.DataTypes.LocalizedText);
    private static readonly Argument ShelvingTime = Of("ShelvingTime", StandardIds.DataTypes.Duration);
    private static readonly Argument SelectedResponse = Of("SelectedResponse", StandardIds.DataTypes.Int32);
    private static readonly Argument SubscriptionId = Of("SubscriptionId", StandardIds.DataTypes.UInt32);
    private static readonly Argument MonitoredItemId = Of("MonitoredItemId", StandardIds.DataTypes.UInt32);

    /// <summary>By the MethodId on the type. Those of shelving are there twice: of the state machine and of the alarm.
    /// </summary>
    public static IReadOnlyDictionary<uint, ConditionMethod> ById { get; } = new Dictionary<uint, ConditionMethod>
    {
        [3875] = new(null, [SubscriptionId]),
        [12912] = new(null, [SubscriptionId, MonitoredItemId]),
        [9027] = new(ConditionAct.Enable, []),
        [9028] = new(ConditionAct.Disable, []),
        [9029] = new(ConditionAct.AddComment, [EventId, Comment]),
        [9111] = new(ConditionAct.Acknowledge, [EventId, Comment]),
        [9113] = new(ConditionAct.Confirm, [EventId, Comment]),
        [2947] = new(ConditionAct.Unshelve, []),
        [9211] = new(ConditionAct.Unshelve, []),
        [24740] = new(ConditionAct.Unshelve, [Comment]),
        [24758] = new(ConditionAct.Unshelve, [Comment]),
        [2948] = new(ConditionAct.OneShotShelve, []),
        [9212] = new(ConditionAct.OneShotShelve, []),
        [24742] = new(ConditionAct.OneShotShelve, [Comment]),
        [24760] = new(ConditionAct.OneShotShelve, [Comment]),
        [2949] = new(ConditionAct.TimedShelve, [ShelvingTime]),
        [9213] = new(ConditionAct.TimedShelve, [ShelvingTime]),
        [24738] = new(ConditionAct.TimedShelve, [ShelvingTime, Comment]),
        [24756] = new(ConditionAct.TimedShelve, [ShelvingTime, Comment]),
        [16403] = new(ConditionAct.Suppress, []),
        [24316] = new(ConditionAct.Suppress, [Comment]),
        [17868] = new(ConditionAct.Unsuppress, []),
        [24318] = new(ConditionAct.Unsuppress, [Comment]),
        [17869] = new(ConditionAct.RemoveFromService, []),
        [24320] = new(ConditionAct.RemoveFromService, [Comment]),
        [17870] = new(ConditionAct.PlaceInService, []),
        [24322] = new(ConditionAct.PlaceInService, [Comment]),
    };

    /// <summary>Of the standard's types as well, for conditions of upstreams alone: those of the gateway have none of
    /// them. Respond, Silence, Reset.</summary>
    private static readonly Dictionary<uint, ConditionMethod> Forwarded = new()
    {
        [9069] = new(null, [SelectedResponse]),
        [24312] = new(null, [SelectedResponse, Comment]),
        [16402] = new(null, []),
        [18199] = new(null, []),
        [24324] = new(null, [Comment]),
    };

    /// <summary>Of a condition of an upstream.</summary>
    public static ConditionMethod? FindForwarded(NodeId method) =>
        method is not { NamespaceIndex: 0, IdType: IdType.Numeric } ? null
        : Forwarded.TryGetValue(method.Numeric, out var found) ? found
        : ById.TryGetValue(method.Numeric, out found) && found.Act is not null ? found
        : null;

    /// <summary>On the type; the one without a comment of its own.</summary>
    public static NodeId IdOf(ConditionAct act) => new(ById.First(one => one.Value.Act == act).Key);
    /// <summary>Its BrowseName: those with a comment of their own have a 2 behind it.</summary>
    public string Name => Inputs.Contains(Comment) && !Inputs.Contains(EventId) ? $"{Act}2" : $"{Act}";

    public static ConditionMethod? Find(NodeId method) => method is { NamespaceIndex: 0, IdType: IdType.Numeric }
        ? ById.GetValueOrDefault(method.Numeric)
        : null;

    /// <param name="act">Of this method.</param>
    /// <param name="inputs">Checked.</param>
    /// <param name="user">For ClientUserId.</param>
    public ConditionCall MakeCall(ConditionAct act, Variant[] inputs, string? user)
    {
        var call = new ConditionCall(act, user);
        for (var i = 0; i < Inputs.Length; i++)
        {
            if (Inputs[i] == EventId)
                call = call with { EventId = inputs[i].AsByteString() ?? [] };
            else if (Inputs[i] == Comment)
                call = call with { Comment = inputs[i].AsLocalizedText() };
            else
                call = call with { ShelvingTime = inputs[i].AsDouble() };
        }

        return call;
    }

    private static Argument Of(string name, uint dataType) => new()
    {
        Name = name,
        DataType = new NodeId(dataType),
        ValueRank = -1,
    };
}
