"""Frequencies: exact ones of Timoshenko's beams, and those in a record of a free vibration."""

import math

import numpy as np

CLAMPED, FREE = (0, 1), (2, 3)  # what vanishes at an end, among deflection, angle, moment, force


def exact_frequency(EI, GA, m, J, length, guess, first=CLAMPED, last=FREE):
    """The angular frequency of a beam near a guess: where what vanishes at the last end does not
    determine what may be other than zero at the first. w' = phi + Q/GA, phi' = M/EI,
    M' = -Q - J omega^2 phi, Q' = -m omega^2 w, over the length."""
    unknown = [i for i in range(4) if i not in first]

    def determinant(omega):
        A = np.zeros((4, 4))
        A[0, 1], A[0, 3] = 1, 1 / GA
        A[1, 2] = 1 / EI
        A[2, 1], A[2, 3] = -J * omega ** 2, -1
        A[3, 0] = -m * omega ** 2
        scale = np.diag([length, 1, EI / length, EI / length ** 2])
        values, vectors = np.linalg.eig(np.linalg.inv(scale) @ A @ scale * length)
        over = (vectors @ np.diag(np.exp(values)) @ np.linalg.inv(vectors)).real
        return np.linalg.det(over[np.ix_(last, unknown)])

    low, high = 0.9 * guess, 1.05 * guess
    assert determinant(low) * determinant(high) < 0
    for _ in range(200):
        middle = 0.5 * (low + high)
        low, high = ((middle, high) if determinant(low) * determinant(middle) > 0
                     else (low, middle))
    return 0.5 * (low + high)


def frequency_near(record, dt, guess):
    """Of the exponentials that make up the record (matrix pencil), the angular frequency nearest
    to a guess. The midpoint rule with step dt turns omega into omega_h, tan(omega_h dt/2) =
    omega dt/2, which is undone; the record has every fifth step."""
    half = len(record) // 2
    hankel = np.array([record[i:i + half + 1] for i in range(len(record) - half)])
    U, S, V = np.linalg.svd(hankel, full_matrices=False)
    n = int(np.sum(S > 1e-9 * S[0]))
    V = V[:n].T
    roots = np.linalg.eigvals(np.linalg.pinv(V[:-1]) @ V[1:])
    omega = 2 / dt * np.tan(np.abs(np.angle(roots)) / 10)
    return omega[np.argmin(np.abs(omega - guess))]


def push(place, dt, share=1):
    """A force for a short while, smooth: free vibrations follow."""
    return (f'<force name="push_{place.split(".")[-1]}" on="{place}" '
            f'y="if(t &lt; {25 * dt}, {share}*1e-3*(1 - cos(2*pi*t/{25 * dt})), 0)"/>')


def euler_frequency(EI, m, length, beta):
    return math.sqrt(EI / m) * (beta / length) ** 2
