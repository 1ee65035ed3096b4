using System.Net;
using Gateway.Admission;
using Gateway.Codec.Binary;
using Gateway.Rest.Answers;
using Gateway.Server;

namespace Gateway.Rest.Access;

/// <summary>The budgets that the memory of HTTP requests counts in: what is decoded in that of all protocols.
/// Thread-safe.</summary>
internal sealed class RequestMemories(
    DecodeBudget decoding, AnswerSender answers, AdmissionControl admission, ServerLimits limits)
{
    /// <summary>A body up to this size is decoded at once; a larger one behind the other requests that are larger than
    /// a turn (R44).</summary>
    public int MaxImmediateBytes => limits.MaxImmediateRequestBytes;

    /// <param name="address">Of the client.</param>
    public RequestMemory Begin(IPAddress? address) =>
        new(decoding, answers.Budget, admission.Clients, address, limits.MaxDecodedBytesPerRequest);
}
