using System.Text.Json;

namespace Gateway.Interop.Services;

/// <summary>What one case of a script told. An error in it fails the test that asks for it, and no other.</summary>
internal sealed class CaseResult
{
    private readonly JsonElement told;

    public CaseResult(string name, JsonElement script)
    {
        told = script.GetProperty(name);
        if (told.TryGetProperty("error", out _))
            Assert.Fail(told.ToString());
    }

    public JsonElement this[string property] => told.GetProperty(property);

    /// <summary>The property, as JSON, is what the expected value is as JSON.</summary>
    public void Expect(string property, object? expected)
    {
        JsonElement wanted = JsonSerializer.SerializeToElement(expected);
        bool equal = told.TryGetProperty(property, out JsonElement actual) && JsonElement.DeepEquals(wanted, actual);
        Assert.True(equal, $"{property} is not {wanted}\n{told}");
    }

    /// <summary>As <see cref="Expect"/>, for a list.</summary>
    public void ExpectAll(string property, params object[] expected) => Expect(property, expected);
}
