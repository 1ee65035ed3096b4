using Gateway.Codec.Types;

namespace Gateway.Admission.Stages;

/// <summary>The answer to a client.</summary>
/// <param name="Reason">None: admitted.</param>
/// <param name="Status">On the wire.</param>
/// <param name="RetryAfterMs">When it should come back; 0: no hint.</param>
public readonly record struct Decision(RefusalReason Reason, StatusCode Status, int RetryAfterMs)
{
    /// <summary>The hint's name on the wire: in the reason of an ERR, and as the parameter of a fault's
    /// AdditionalHeader. The hint is ours.</summary>
    public const string HintName = nameof(RetryAfterMs);

    public static Decision Admit => default;

    /// <summary>For <c>Retry-After</c>: 1 at least. Source: RFC 9110 §10.2.3.</summary>
    public int RetryAfterSeconds => Math.Max(1, (int)Math.Ceiling(RetryAfterMs / 1000.0));

    public bool IsAdmitted => Reason == RefusalReason.None;
}
