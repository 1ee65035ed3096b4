using Gateway.AddressSpace.Sources;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Operations.Methods;

/// <summary>The diagnostics of one Call, from the answers of several sources: each answer has a string table of its
/// own, and the response has one for all. Bounded by <see cref="MaxCharacters"/>; those beyond are left out. Owner: one
/// request. Source: Part 4 §7.12, §7.32, §7.33.</summary>
/// <param name="returnDiagnostics">Of the RequestHeader.</param>
/// <param name="calls">Of the request.</param>
public sealed class CallDiagnostics(uint returnDiagnostics, int calls)
{
    /// <summary>Of the texts of a response; each DiagnosticInfo counts as some.</summary>
    public const int MaxCharacters = 64 * 1024;

    /// <summary>As much memory as one takes without texts.</summary>
    private const int InfoCharacters = 36;

    private const uint SymbolicId = 0x20;
    private const uint LocalizedText = 0x40;
    private const uint AdditionalInfo = 0x80;
    private const uint InnerStatusCode = 0x100;
    private const uint InnerDiagnostics = 0x200;
    private const uint OperationLevel =
        SymbolicId | LocalizedText | AdditionalInfo | InnerStatusCode | InnerDiagnostics;

    private readonly List<string?> _strings = [];
    private readonly Dictionary<string, int> _indexes = new(StringComparer.Ordinal);
    private int _characters;

    /// <summary>Those of operations; 0: none.</summary>
    public uint Asked { get; } = returnDiagnostics & OperationLevel;

    /// <summary>One a call; null: there are none.</summary>
    public DiagnosticInfo?[]? Infos { get; private set; }

    /// <summary>Null: there are none.</summary>
    public string?[]? StringTable => _strings.Count == 0 ? null : [.. _strings];

    /// <summary>The result with its diagnostics, as they stand in the response.</summary>
    public CallMethodResult Take(int call, in DiagnosedCall answer)
    {
        var table = answer.StringTable ?? [];
        if (Translate(answer.Diagnostics, table) is { } own)
            (Infos ??= new DiagnosticInfo?[calls])[call] = own;
        var result = answer.Result;
        if (answer.InputDiagnostics is not { } inputs || inputs.Length != result.InputArgumentResults?.Length)
            return result;
        return new CallMethodResult
        {
            StatusCode = result.StatusCode,
            InputArgumentResults = result.InputArgumentResults,
            InputArgumentDiagnosticInfos = Array.ConvertAll(inputs, one => Translate(one, table)),
            OutputArguments = result.OutputArguments,
        };
    }

    /// <summary>Null: nothing of it was asked for.</summary>
    private DiagnosticInfo? Translate(DiagnosticInfo? info, string?[] table)
    {
        if (info is null || !TryHold(InfoCharacters))
            return null;
        var translated = new DiagnosticInfo
        {
            SymbolicId = IsAsked(SymbolicId) ? IndexOf(info.SymbolicId, table) : -1,
            NamespaceUri = IsAsked(SymbolicId) ? IndexOf(info.NamespaceUri, table) : -1,
            Locale = IsAsked(LocalizedText) ? IndexOf(info.Locale, table) : -1,
            LocalizedText = IsAsked(LocalizedText) ? IndexOf(info.LocalizedText, table) : -1,
            AdditionalInfo = IsAsked(AdditionalInfo) && TryHold(info.AdditionalInfo) ? info.AdditionalInfo : null,
            InnerStatusCode = IsAsked(InnerStatusCode) ? info.InnerStatusCode : null,
            InnerDiagnosticInfo = IsAsked(InnerDiagnostics) ? Translate(info.InnerDiagnosticInfo, table) : null,
        };
        return translated == new DiagnosticInfo() ? null : translated;
    }

    private bool IsAsked(uint what) => (Asked & what) != 0;

    /// <summary>In the response's table; -1: there is no such text, or no room for it.</summary>
    private int IndexOf(int index, string?[] table)
    {
        if (index < 0 || index >= table.Length || table[index] is not { } text)
            return -1;
        if (_indexes.TryGetValue(text, out var known))
            return known;
        if (!TryHold(text))
            return -1;
        _strings.Add(text);
        return _indexes[text] = _strings.Count - 1;
    }

    private bool TryHold(string? text) => TryHold(text?.Length ?? 0);

    private bool TryHold(int length)
    {
        if (_characters + length > MaxCharacters)
            return false;
        _characters += length;
        return true;
    }
}
