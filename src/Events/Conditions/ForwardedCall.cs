using Gateway.Codec.Types;

namespace Gateway.Events.Conditions;

/// <summary>A method of a condition of an upstream; every id is the gateway's.</summary>
/// <param name="ConditionId">ObjectId of the call.</param>
/// <param name="MethodId">On the type.</param>
/// <param name="Inputs">Checked against the method of the standard.</param>
/// <param name="User">The caller's name; null: anonymous.</param>
/// <param name="Account">The caller's, for its share of the upstream's budget.</param>
public sealed record ForwardedCall(
    NodeId ConditionId, NodeId MethodId, Variant[] Inputs, string? User, string Account)
{
    private const uint Acknowledge = 9111;
    private const uint Confirm = 9113;

    public bool IsAcknowledge => MethodId == new NodeId(Acknowledge);

    public bool IsConfirm => MethodId == new NodeId(Confirm);

    /// <summary>Of the notification that is answered; empty for methods without it.</summary>
    public byte[] EventId => Inputs is [{ Type: BuiltInType.ByteString }, ..] ? Inputs[0].AsByteString() ?? [] : [];

    /// <summary>Null: there is none.</summary>
    public string? Comment => Inputs is [.., { Type: BuiltInType.LocalizedText }]
        ? Inputs[^1].AsLocalizedText().Text
        : null;
}
