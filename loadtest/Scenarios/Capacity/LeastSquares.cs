namespace Gateway.Loadtest.Scenarios.Capacity;

/// <summary>Linear costs from measured sums: the relative errors are made small, so that a small point counts as much
/// as a large one. A cost that would come out negative is none.</summary>
internal static class LeastSquares
{
    /// <param name="terms">A row for each measurement; at least as many as costs.</param>
    /// <param name="values">Its value; greater than zero.</param>
    public static double[] Fit(IReadOnlyList<double[]> terms, IReadOnlyList<double> values)
    {
        var used = Enumerable.Range(0, terms[0].Length).ToList();
        while (true)
        {
            var costs = Solve(terms, values, used);
            var worst = used[0];
            foreach (var term in used)
                worst = costs[term] < costs[worst] ? term : worst;
            if (costs[worst] >= 0 || used.Count == 1)
                return costs;
            used.Remove(worst);
        }
    }

    /// <summary>The normal equations of the terms in use.</summary>
    private static double[] Solve(IReadOnlyList<double[]> terms, IReadOnlyList<double> values, List<int> used)
    {
        var size = used.Count;
        var matrix = new double[size, size + 1];
        for (var point = 0; point < terms.Count; point++)
        {
            for (var row = 0; row < size; row++)
            {
                var weighted = terms[point][used[row]] / values[point];
                for (var column = 0; column < size; column++)
                    matrix[row, column] += weighted * terms[point][used[column]] / values[point];
                matrix[row, size] += weighted;
            }
        }

        Eliminate(matrix, size);
        var costs = new double[terms[0].Length];
        for (var row = 0; row < size; row++)
            costs[used[row]] = matrix[row, size] / matrix[row, row];
        return costs;
    }

    /// <summary>Gauss and Jordan, the largest element as the pivot.</summary>
    private static void Eliminate(double[,] matrix, int size)
    {
        for (var pivot = 0; pivot < size; pivot++)
        {
            var best = pivot;
            for (var row = pivot + 1; row < size; row++)
                best = Math.Abs(matrix[row, pivot]) > Math.Abs(matrix[best, pivot]) ? row : best;
            if (matrix[best, pivot] == 0)
                throw new InvalidOperationException("the points do not tell the costs apart");
            for (var column = 0; column <= size; column++)
                (matrix[pivot, column], matrix[best, column]) = (matrix[best, column], matrix[pivot, column]);
            for (var row = 0; row < size; row++)
            {
                var factor = row == pivot ? 0 : matrix[row, pivot] / matrix[pivot, pivot];
                for (var column = pivot; column <= size; column++)
                    matrix[row, column] -= factor * matrix[pivot, column];
            }
        }
    }
}
