using System.Globalization;
using Gateway.Admission.Stages;

namespace Gateway.Transport.Conversation;

/// <summary>The reason of an ERR by which admission refuses: <c>RetryAfterMs=n</c>, which clients read, or nothing to
/// come back for. Source: Part 6 §7.1.2.5; the hint is ours.</summary>
internal static class RefusalText
{
    public const string Hint = Decision.HintName + "=";

    public const string Unhinted = "Refused";

    public static string Of(in Decision decision) => decision.RetryAfterMs == 0
        ? Unhinted
        : Hint + decision.RetryAfterMs.ToString(CultureInfo.InvariantCulture);
}
