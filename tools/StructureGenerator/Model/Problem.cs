using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Text;

namespace Gateway.StructureGenerator.Model;

/// <summary>A fault in a declaration, and its place. It compares by value, which a diagnostic does not.</summary>
internal sealed record Problem(
    ProblemKind Kind, string Message, string Path, TextSpan Span, LinePositionSpan Lines)
{
    private static readonly DiagnosticDescriptor NoEncoding = Describe("GWS001", "The type has no OPC UA encoding");

    private static readonly DiagnosticDescriptor Declaration = Describe("GWS002", "The structure is not well declared");

    public static Problem At(ISymbol symbol, ProblemKind kind, string message)
    {
        var place = symbol.Locations.First().GetLineSpan();
        return new Problem(kind, message, place.Path, symbol.Locations.First().SourceSpan, place.Span);
    }

    public Diagnostic ToDiagnostic() => Diagnostic.Create(
        Kind == ProblemKind.NoEncoding ? NoEncoding : Declaration, Location.Create(Path, Span, Lines), Message);

    private static DiagnosticDescriptor Describe(string id, string title) =>
        new(id, title, "{0}", "Gateway.StructureGenerator", DiagnosticSeverity.Error, isEnabledByDefault: true);
}
