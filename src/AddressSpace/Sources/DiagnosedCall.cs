using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Sources;

/// <summary>The answer of a method with its diagnostics, whose indexes point into its own string table.</summary>
/// <param name="Result">Without diagnostics.</param>
/// <param name="Diagnostics">Of the call; null: none.</param>
/// <param name="InputDiagnostics">Of its inputs; null: none.</param>
/// <param name="StringTable">As the answer had it.</param>
public readonly record struct DiagnosedCall(
    CallMethodResult Result, DiagnosticInfo? Diagnostics = null, DiagnosticInfo?[]? InputDiagnostics = null,
    string?[]? StringTable = null);
