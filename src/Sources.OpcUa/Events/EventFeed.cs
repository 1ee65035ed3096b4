using Gateway.Sources.OpcUa.Sessions;

namespace Gateway.Sources.OpcUa.Events;

/// <summary>A subscription to the events of a server, and what comes by it.</summary>
/// <param name="Subscription">With one item.</param>
/// <param name="Intake">Of its events.</param>
/// <param name="Layouts">Of the fields that the item has.</param>
/// <param name="Selection">All fields that are wanted; the item may have the least of them.</param>
internal sealed record EventFeed(
    GrantedSubscription Subscription, EventIntake Intake, EventLayouts Layouts, EventSelection Selection);
