using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Sources;

/// <summary>A source whose methods have diagnostics of their own.</summary>
public interface IDiagnosingSource : IMethodSource
{
    /// <param name="obj">Has the method.</param>
    /// <param name="method">To be called.</param>
    /// <param name="inputs">Of the right number and types.</param>
    /// <param name="account">The key of the caps for each user.</param>
    /// <param name="returnDiagnostics">Of the operation level: the diagnostics that are wanted. Source: Part 4 §7.32.
    /// </param>
    /// <param name="ct">Ends the waiting.</param>
    ValueTask<DiagnosedCall> CallAsync(
        NodeHandle obj, NodeHandle method, Variant[] inputs, string account, uint returnDiagnostics,
        CancellationToken ct);
}
